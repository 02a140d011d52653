-- close_calls(events): placed -> closed for every placed call of these events. Returns the number of calls.
-- The holds do not change, so no wallet is locked. Release 0.1.0 closes events by it; close_events has its own statement.
-- Refuses LK404 no such event, LK003 an event is neither open nor closed.
CREATE FUNCTION close_calls(p_events bigint[]) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  v_states text[];
  closed int;
BEGIN
  PERFORM require_read_committed();
  PERFORM event_gate(id) FROM (SELECT DISTINCT id FROM unnest(p_events) AS id ORDER BY id) g;
  PERFORM 1 FROM events WHERE id = ANY (p_events) ORDER BY id FOR NO KEY UPDATE;
  SELECT array_agg(e.state) INTO v_states FROM unnest(p_events) AS p(id) LEFT JOIN events e ON e.id = p.id;
  IF array_position(v_states, NULL) IS NOT NULL THEN
    PERFORM refuse('LK404', 'not found');
  ELSIF NOT coalesce(v_states <@ ARRAY['open', 'closed'], true) THEN
    PERFORM refuse('LK003', 'cannot close calls when ' || array_to_string(v_states, ', '));
  END IF;
  UPDATE calls SET state = 'closed', updated_at = game_now() WHERE event_id = ANY (p_events) AND state = 'placed';
  GET DIAGNOSTICS closed = ROW_COUNT;
  RETURN closed;
END $$;
