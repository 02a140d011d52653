-- Whoever places a call holds the gate for milliseconds, and on a busy event there is always somebody: such a gate is worth
-- waiting for. What holds one for longer must not hold up all the other events: the waiting is bounded, for one gate and
-- for all together.
CREATE OR REPLACE FUNCTION lock_free_events(p_events bigint[]) RETURNS SETOF events LANGUAGE plpgsql
SET lock_timeout = '30ms' AS $$
DECLARE
  patient_until timestamptz := clock_timestamp() + interval '60 milliseconds';
  v_sessions bigint[];
  v_gated bigint[] := '{}';
  v_event bigint;
BEGIN
  PERFORM require_read_committed();
  SELECT array_agg(s.id) INTO v_sessions FROM (
    SELECT id FROM sessions
    WHERE id IN (SELECT session_id FROM events WHERE id = ANY (p_events)) AND state <> 'paused'
    FOR SHARE SKIP LOCKED
  ) s;
  -- Ascending, as everybody who waits for a gate while holding others.
  FOR v_event IN
    SELECT id FROM events
    WHERE id = ANY (p_events) AND (session_id IS NULL OR session_id = ANY (v_sessions)) ORDER BY id
  LOOP
    IF NOT pg_try_advisory_xact_lock(7701, v_event::int) THEN
      CONTINUE WHEN clock_timestamp() > patient_until;
      BEGIN
        PERFORM event_gate(v_event);
      EXCEPTION WHEN lock_not_available THEN
        CONTINUE;
      END;
    END IF;
    v_gated := v_gated || v_event;
  END LOOP;
  RETURN QUERY SELECT * FROM events
    WHERE id = ANY (v_gated) AND (session_id IS NULL OR session_id = ANY (v_sessions)) AND state <> 'soft_destroyed'
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED;
END $$;
