-- close_due_events(events, versions, fences): closes those of these events that can be closed together, for timers. p_versions has the
-- schedule version that each timer was set for; NULL closes the event in any case. p_fences is as in close_events.
-- It leaves out what lock_free_events does, what is not open or not due yet, what another schedule or a newer lock holds, and an event
-- with so many calls that closing them takes longer than a statement may. Returns the closed events, in the order given.
CREATE FUNCTION close_due_events(p_events bigint[], p_versions int[], p_fences bigint[]) RETURNS SETOF events LANGUAGE plpgsql AS $$
DECLARE
  v_events bigint[];
  v_fences bigint[];
BEGIN
  SELECT array_agg(e.id ORDER BY p.position), array_agg(p.fence ORDER BY p.position) INTO v_events, v_fences
    FROM lock_free_events(p_events) e
      JOIN unnest(p_events, p_versions, p_fences) WITH ORDINALITY AS p(id, version, fence, position) ON p.id = e.id
    WHERE e.state = 'open' AND e.fence <= coalesce(p.fence, e.fence)
      AND (p.version IS NULL OR (e.schedule_version = p.version AND coalesce(e.due_at <= game_now(), true)))
      AND (SELECT sum(s.calls_count) FROM spots s WHERE s.event_id = e.id) <= refund_at_once_max();
  IF v_events IS NOT NULL THEN
    RETURN QUERY SELECT * FROM close_events(v_events, v_fences, game_now(), NULL, NULL, NULL);
  END IF;
END $$;
