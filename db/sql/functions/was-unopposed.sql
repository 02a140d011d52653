-- was_unopposed(event): true if the event has a result, and nobody called another side than that. Who called it was right and has the
-- wager back. A streak is of being right: such an event extends it, as a win does. Wins count what was won only.
CREATE FUNCTION was_unopposed(p_event bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT e.result IS NOT NULL AND NOT EXISTS (
    SELECT FROM spots s WHERE s.event_id = e.id AND s.side <> e.result AND s.pool_cents > 0
  ) FROM events e WHERE e.id = p_event
$$;
