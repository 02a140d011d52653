-- settle_event_calls(event, result, actor, effective_at, reason): decides the payouts of the closed calls of the event's round,
-- or corrects an earlier decision, which needs a reason. Returns the settlement's id.
-- All amounts are written here and never change; pay_settlement_part pays them. A settlement without calls is paid at once.
-- A correction supersedes a settlement that is still being paid, instead of waiting for it: the older one pays no more, and the
-- new one pays each call the difference to what it was paid. A request for the decision in force returns the live settlement and
-- changes nothing.
-- A reset settles as 'void' first, then starts the new round.
-- Refuses LK404 no such event, LK003 the event is not closed or calls are still placed, LK006 a correction has no reason.
-- Nested loops are off because rows that were just written have no statistics; jit is off because this penalty would trigger it.
CREATE FUNCTION settle_event_calls(
  p_event bigint, p_result text, p_actor bigint, p_effective_at timestamptz, p_reason text
) RETURNS bigint LANGUAGE plpgsql SET enable_nestloop = off SET jit = off AS $$
DECLARE
  e events;
  previous settlements;
  v_version int;
  v_journal bigint;
  v_settlement bigint;
BEGIN
  PERFORM require_read_committed();
  PERFORM event_gate(p_event);
  SELECT * INTO e FROM events WHERE id = p_event FOR NO KEY UPDATE;
  IF e.id IS NULL THEN
    PERFORM refuse('LK404', 'not found');
  END IF;
  SELECT * INTO previous FROM settlements WHERE event_id = p_event AND round = e.round AND NOT superseded;
  IF previous.result = p_result AND previous.effective_at IS NOT DISTINCT FROM p_effective_at THEN
    RETURN previous.id;
  END IF;
  IF e.state NOT IN ('closed', 'resolved') AND previous.id IS NULL THEN
    PERFORM refuse('LK003', 'cannot settle when ' || e.state);
  ELSIF EXISTS (SELECT 1 FROM calls WHERE event_id = p_event AND state = 'placed') THEN
    PERFORM refuse('LK003', 'cannot settle placed calls');
  ELSIF previous.id IS NOT NULL AND coalesce(length(p_reason), 0) = 0 THEN
    PERFORM refuse('LK006', 'reason is required');
  END IF;

  v_version := coalesce(previous.version, 0) + 1;
  INSERT INTO journal (kind, idempotency_key, request_hash, event_id, round, supersedes_id, actor_id, reason)
    VALUES (CASE WHEN v_version = 1 THEN 'settle' ELSE 'resettle' END,
      format('settle-%s-r%s-v%s', p_event, e.round, v_version), p_result, p_event, e.round, previous.journal_id,
      p_actor, p_reason)
    RETURNING id INTO v_journal;
  UPDATE settlements SET superseded = true WHERE id = previous.id;
  INSERT INTO settlements (event_id, round, version, result, effective_at, journal_id, pool_cents,
      winning_pool_cents, refunded_cents, calls_count, paid_at)
    SELECT p_event, e.round, v_version, p_result, p_effective_at, v_journal,
      coalesce(sum(q.wager) FILTER (WHERE q.counts), 0),
      coalesce(sum(q.wager) FILTER (WHERE q.counts AND q.won), 0),
      coalesce(sum(q.wager) FILTER (WHERE NOT q.counts), 0), count(*),
      CASE WHEN count(*) = 0 THEN game_now() END
    FROM (
      SELECT c.wager_cents AS wager, s.side = p_result AS won,
        p_effective_at IS NULL OR c.placed_at < p_effective_at AS counts
      FROM calls c JOIN spots s ON s.id = c.spot_id AND s.event_id = p_event
      WHERE c.event_id = p_event AND c.round = e.round AND c.state IN ('closed', 'resolved')
    ) q
    RETURNING id INTO v_settlement;
  INSERT INTO settlement_lines (settlement_id, call_id, payout_cents, outcome)
    SELECT v_settlement, p.call_id, p.payout_cents, p.outcome
    FROM payouts(p_event, e.round, p_result, p_effective_at) p;
  RETURN v_settlement;
END $$;
