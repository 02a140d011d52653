-- For changing many events at once without waiting: locks those of them that nobody else is at, in the order of locks (the
-- session's row, the gate, the event's row), and answers them as they are behind these locks. Events of a paused session
-- are left out too.
CREATE FUNCTION lock_free_events(p_events bigint[]) RETURNS SETOF events LANGUAGE plpgsql AS $$
DECLARE
  v_sessions bigint[];
  v_gated bigint[];
BEGIN
  PERFORM require_read_committed();
  SELECT array_agg(s.id) INTO v_sessions FROM (
    SELECT id FROM sessions
    WHERE id IN (SELECT session_id FROM events WHERE id = ANY (p_events)) AND state <> 'paused'
    FOR SHARE SKIP LOCKED
  ) s;
  SELECT array_agg(e.id) INTO v_gated FROM (
    SELECT id FROM events
    WHERE id = ANY (p_events) AND (session_id IS NULL OR session_id = ANY (v_sessions))
    ORDER BY id
  ) e
  WHERE pg_try_advisory_xact_lock(7701, e.id::int);
  RETURN QUERY SELECT * FROM events
    WHERE id = ANY (v_gated) AND (session_id IS NULL OR session_id = ANY (v_sessions)) AND state <> 'soft_destroyed'
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED;
END $$;
