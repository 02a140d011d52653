-- destroy_call(call): an admin takes a player's call back, while its event is open or closed and has no settlement.
-- Returns the call as it was before: a call that was already destroyed does not change. What it releases pays the
-- player's debt first.
-- Refuses LK404 no such call, LK003 its event is in another state, or its payout is decided.
CREATE FUNCTION destroy_call(p_call bigint) RETURNS calls LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  e events;
  at timestamptz;
BEGIN
  PERFORM require_read_committed();
  SELECT * INTO c FROM calls WHERE id = p_call;
  IF NOT FOUND THEN
    PERFORM refuse('LK404', 'not found');
  END IF;
  PERFORM event_gate_shared(c.event_id);
  SELECT * INTO e FROM events WHERE id = c.event_id;
  PERFORM 1 FROM accounts WHERE id = c.account_id FOR NO KEY UPDATE;
  SELECT * INTO c FROM calls WHERE id = p_call FOR NO KEY UPDATE;
  IF c.state = 'soft_destroyed' THEN
    RETURN c;
  END IF;
  -- A settlement that is paid in parts has lines for calls that are still closed.
  IF c.state NOT IN ('placed', 'closed') OR e.state NOT IN ('open', 'closed')
    OR EXISTS (SELECT 1 FROM settlements WHERE event_id = c.event_id AND round = c.round AND NOT superseded)
  THEN
    PERFORM refuse('LK003', 'cannot destroy a call that is ' || c.state || ' on an event that is ' || e.state);
  END IF;
  at := game_now();
  UPDATE calls SET state = 'soft_destroyed', refunded_by = 'admin', ended_at = at, updated_at = at WHERE id = p_call;
  PERFORM repay_debts(ARRAY[p_call]);
  INSERT INTO outbox (kind, payload) VALUES ('call_cancelled', jsonb_build_object('callId', p_call));
  RETURN c;
END $$;
