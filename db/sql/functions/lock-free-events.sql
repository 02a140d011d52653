-- lock_free_events(events): locks those of these events that no other transaction holds, in the order of locks (session
-- row, gate, event row), and returns their rows as read after locking. Events of a paused session are left out.
-- It lets one transaction change many events without a long wait. A placer holds a gate for milliseconds, and a busy event
-- always has a placer, so a short wait is useful. A gate that is held for longer must not delay all other events, so the wait
-- is bounded: 30 ms for one gate, 60 ms for all of them.
-- The plans are generic, and every row is looked up by an index: see place-gated-calls.sql.
CREATE FUNCTION lock_free_events(p_events bigint[]) RETURNS SETOF events LANGUAGE plpgsql
SET lock_timeout = '30ms' SET plan_cache_mode = force_generic_plan
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
DECLARE
  wait_until timestamptz := clock_timestamp() + interval '60 milliseconds';
  v_sessions bigint[];
  v_gated bigint[] := '{}';
  v_event bigint;
BEGIN
  PERFORM require_read_committed();
  SELECT array_agg(s.id) INTO v_sessions FROM (
    SELECT id FROM sessions
    WHERE id = ANY (ARRAY(SELECT DISTINCT session_id FROM events WHERE id = ANY (p_events))) AND state <> 'paused'
    FOR SHARE SKIP LOCKED
  ) s;
  -- Ascending, as in every transaction that waits for a gate while it holds others.
  FOR v_event IN
    SELECT id FROM events
    WHERE id = ANY (p_events) AND (session_id IS NULL OR session_id = ANY (v_sessions)) ORDER BY id
  LOOP
    IF NOT pg_try_advisory_xact_lock(lock_class(7701, v_event), lock_key(v_event)) THEN
      CONTINUE WHEN clock_timestamp() > wait_until;
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
