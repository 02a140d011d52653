-- refund_active(event, cause): destroys every active call of the event, which releases its hold, and pays the
-- players' debts first from what is released. cause: skip or reset.
-- Returns the calls and their players.
CREATE FUNCTION refund_active(p_event bigint, p_cause text) RETURNS TABLE (call_id bigint, user_id bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  at timestamptz;
  v_calls bigint[];
  v_users bigint[];
BEGIN
  PERFORM require_read_committed();
  PERFORM event_gate(p_event);
  PERFORM 1 FROM events WHERE id = p_event FOR NO KEY UPDATE;
  PERFORM 1 FROM accounts
    WHERE id IN (SELECT account_id FROM calls WHERE event_id = p_event AND state IN ('placed', 'closed'))
    ORDER BY id FOR NO KEY UPDATE;
  at := game_now();
  WITH refunded AS (
    UPDATE calls SET state = 'soft_destroyed', refunded_by = p_cause, ended_at = at, updated_at = at
    WHERE event_id = p_event AND state IN ('placed', 'closed') RETURNING id, user_id
  )
  SELECT array_agg(id), array_agg(user_id) INTO v_calls, v_users FROM refunded;
  PERFORM repay_debts(v_calls);
  RETURN QUERY SELECT * FROM unnest(v_calls, v_users);
END $$;
