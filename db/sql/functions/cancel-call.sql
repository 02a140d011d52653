-- cancel_call(user, call): cancels a player's own call, while the event is open and the close is at least 5 s away on the
-- session's clock, which is stopped during a pause. During a pause only a call of the 10 s before it can be cancelled, so that
-- nobody leaves who has heard the outcome meanwhile. Returns the call. Cancelling it again returns the same row. What it releases
-- pays the player's debt first.
-- Refuses LK404 no such call of this player, LK003 it is too late, the event is in another state or the session is paused.
CREATE FUNCTION cancel_call(p_user bigint, p_call bigint) RETURNS calls LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  e events;
  at timestamptz;
  pause_at timestamptz;
BEGIN
  PERFORM require_read_committed();
  SELECT * INTO c FROM calls WHERE id = p_call AND user_id = p_user;
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
  at := game_now();
  pause_at := (SELECT paused_at FROM sessions WHERE id = e.session_id);
  IF c.state <> 'placed' OR e.state <> 'open' OR coalesce(pause_at, at) > e.closes_at - interval '5 seconds' THEN
    PERFORM refuse('LK003', 'cannot take back a call that is ' || c.state || ' on an event that is ' || e.state);
  END IF;
  IF c.placed_at < pause_at - interval '10 seconds' THEN
    PERFORM refuse('LK003', 'cannot take back an earlier call while the session is paused');
  END IF;
  UPDATE calls SET state = 'soft_destroyed', ended_at = at, updated_at = at WHERE id = p_call RETURNING * INTO c;
  PERFORM repay_debts(ARRAY[p_call]);
  INSERT INTO outbox (kind, payload) VALUES ('call_cancelled', jsonb_build_object('callId', p_call));
  RETURN c;
END $$;
