-- close_due_events(events, versions, fences): closes those of these events that can be closed together, for timers. p_versions has the
-- schedule version that each timer was set for; NULL closes the event in any case. p_fences has the token of each event's lock; without
-- one it is drawn here, as draw_lock_tokens does: the release before has drawn it already.
-- It leaves out what lock_free_events does, what is not open or not due yet, what another schedule or a newer lock holds, and an event
-- with so many calls that closing them takes longer than a statement may. Returns the closed events, in the order given.
-- The plans are generic, as in close_events.
CREATE FUNCTION close_due_events(p_events bigint[], p_versions int[], p_fences bigint[]) RETURNS SETOF events LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
DECLARE
  v_events bigint[];
  v_fences bigint[];
BEGIN
  SELECT array_agg(e.id ORDER BY e.position), array_agg(e.fence ORDER BY e.position) INTO v_events, v_fences
    FROM (
      SELECT e.id, p.position, coalesce(p_fences[p.position], greatest(nextval('lock_tokens'), e.fence + 1)) AS fence
      FROM lock_free_events(p_events) e CROSS JOIN LATERAL (SELECT array_position(p_events, e.id) AS position) p
      WHERE e.state = 'open' AND e.fence <= coalesce(p_fences[p.position], e.fence)
        AND (p_versions[p.position] IS NULL
          OR (e.schedule_version = p_versions[p.position] AND coalesce(e.due_at <= game_now(), true)))
        AND (SELECT sum(s.calls_count) FROM spots s WHERE s.event_id = e.id) <= refund_at_once_max()
    ) e;
  IF v_events IS NOT NULL THEN
    RETURN QUERY SELECT * FROM close_events(v_events, v_fences, game_now(), NULL, NULL, NULL);
  END IF;
END $$;
