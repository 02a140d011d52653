-- pay_settlement_part(event, calls_max): pays the next players of the event's unpaid settlement, from the highest user id down.
-- A part has as many players as have p_calls_max calls together, at least one, each with all their calls. So every player is
-- paid once and completely. From the highest id down: a transaction that waits for a wallet of this part while it holds wallets
-- with lower ids finds the next wallets already paid.
-- The amount for a call is its payout by this settlement minus its payout by an earlier one (minus its wager if there is none).
-- Whole cents. Money that a part has taken and not yet given is on the account clearing. Who pays locks it last, so that two payers
-- wait for each other only at the end of a part.
-- Returns the players of the part: the refunds of players whose calls are settled for the first time, and the correction of the
-- other players; calls_count: the calls of the part; is_last: this was the last part. No rows if no settlement of the event is unpaid.
-- Every row is looked up by an index, so that a part of a million calls takes as long as any other. So each statement, also of the
-- triggers, is planned once for a connection, and not for each of its first five parts again.
CREATE FUNCTION pay_settlement_part(p_event bigint, p_calls_max bigint)
RETURNS TABLE (user_id bigint, refunded_cents bigint, corrected_cents bigint, calls_count int, is_last boolean)
LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  s settlements;
  decision journal;
  paid_before boolean; -- the calls of this part were paid by an earlier settlement
  last boolean;
  at timestamptz := game_now();
  n int;
  players bigint[];   -- ascending, each once
  -- One element per call.
  v_call bigint[];
  v_account bigint[];
  v_user bigint[];
  v_payout bigint[];
  v_outcome text[];
  v_amount bigint[];
  net bigint;
  v_journal bigint;
BEGIN
  PERFORM require_read_committed();
  PERFORM event_gate(p_event);
  SELECT * INTO s FROM settlements WHERE event_id = p_event AND NOT superseded AND paid_at IS NULL FOR NO KEY UPDATE;
  IF s.id IS NULL THEN
    RETURN;
  END IF;
  s.paid_from_user_id := coalesce(s.paid_from_user_id, 9223372036854775807);

  -- An earlier settlement paid from the highest id down too. So either all calls of a part were paid before, or none.
  SELECT c.state = 'resolved' INTO paid_before FROM calls c
    WHERE c.event_id = s.event_id AND c.round = s.round AND c.state IN ('closed', 'resolved')
      AND c.user_id < s.paid_from_user_id
    ORDER BY c.event_id DESC, c.user_id DESC LIMIT 1;
  SELECT count(*), array_agg(DISTINCT q.user_id ORDER BY q.user_id) INTO n, players FROM (
    SELECT c.user_id FROM calls c
    WHERE c.event_id = s.event_id AND c.round = s.round AND c.state IN ('closed', 'resolved')
      AND c.user_id < s.paid_from_user_id AND (c.state = 'resolved') = paid_before
    ORDER BY c.event_id DESC, c.user_id DESC LIMIT p_calls_max + 1
  ) q;
  IF n > p_calls_max AND cardinality(players) > 1 THEN
    players := players[2:];
  END IF;
  last := NOT EXISTS (
    SELECT 1 FROM calls c
    WHERE c.event_id = s.event_id AND c.round = s.round AND c.state IN ('closed', 'resolved')
      AND c.user_id < coalesce(players[1], 0)
  );

  SELECT count(*), array_agg(q.id), array_agg(q.account_id), array_agg(q.user_id), array_agg(q.payout),
      array_agg(q.outcome), array_agg(q.payout - q.before), coalesce(sum(q.payout - q.before), 0)
    INTO n, v_call, v_account, v_user, v_payout, v_outcome, v_amount, net
    FROM (
      SELECT c.id, c.account_id, c.user_id, coalesce(c.payout_cents, c.wager_cents) AS before,
        l.payout_cents AS payout, l.outcome
      FROM calls c LEFT JOIN LATERAL (
        SELECT l.payout_cents, l.outcome FROM settlement_lines l
        WHERE l.settlement_id = s.id AND l.call_id = c.id LIMIT 1
      ) l ON true
      WHERE c.event_id = s.event_id AND c.round = s.round AND c.state IN ('closed', 'resolved')
        AND c.user_id >= players[1] AND c.user_id < s.paid_from_user_id AND (c.state = 'resolved') = paid_before
      ORDER BY c.event_id DESC, c.user_id DESC
    ) q;
  IF last AND s.paid_calls_count + n <> s.calls_count THEN
    RAISE EXCEPTION 'settlement % has % calls, not %', s.id, s.paid_calls_count + n, s.calls_count
      USING ERRCODE = '23514';
  END IF;

  -- Who pays all parts in one transaction takes the wallets of all, so that it waits for none after it has locked clearing.
  PERFORM 1 FROM accounts WHERE id = ANY (CASE
    WHEN last OR p_calls_max < s.calls_count THEN v_account
    ELSE ARRAY(
      SELECT c.account_id FROM calls c
      WHERE c.event_id = s.event_id AND c.round = s.round AND c.user_id < s.paid_from_user_id
    ) END) ORDER BY id FOR NO KEY UPDATE;
  SELECT * INTO decision FROM journal WHERE id = s.journal_id;
  IF decision.tx = pg_current_xact_id() AND paid_before IS NOT DISTINCT FROM (decision.kind = 'resettle') THEN
    v_journal := decision.id;
  ELSIF n > 0 THEN
    INSERT INTO journal (kind, idempotency_key, request_hash, event_id, round, part_of_id, actor_id, reason)
      VALUES (CASE WHEN paid_before THEN 'resettle' ELSE 'settle' END, decision.idempotency_key || '-u' || players[1],
        decision.request_hash, decision.event_id, decision.round, decision.id, decision.actor_id, decision.reason)
      RETURNING id INTO v_journal;
  END IF;
  -- The trigger on calls releases the hold of every call that had one, and posts what it pays.
  UPDATE calls c SET state = 'resolved', payout_cents = p.payout, outcome = p.outcome,
      ended_at = coalesce(c.ended_at, s.created_at), updated_at = at
    FROM unnest(v_call, v_payout, v_outcome) AS p(id, payout, outcome) WHERE c.id = p.id;
  PERFORM book_part(v_journal, paid_before, players, v_call, v_account, v_user, v_amount);

  UPDATE settlements SET paid_calls_count = paid_calls_count + n, paid_from_user_id = coalesce(players[1], 0),
      paid_at = CASE WHEN last THEN at END
    WHERE id = s.id;
  INSERT INTO outbox (kind, payload) VALUES ('event_settled',
    jsonb_build_object('eventId', s.event_id, 'settlementId', s.id, 'round', s.round)
      || CASE WHEN n = s.calls_count THEN '{}'
        ELSE jsonb_build_object('fromUserId', players[1], 'toUserId', players[cardinality(players)]) END);
  RETURN QUERY
    SELECT q.user_id, coalesce(sum(q.payout) FILTER (WHERE NOT paid_before AND q.outcome = 'refunded'), 0)::bigint,
      coalesce(sum(q.amount) FILTER (WHERE paid_before), 0)::bigint, n, last
    FROM unnest(v_user, v_payout, v_outcome, v_amount) AS q(user_id, payout, outcome, amount)
    GROUP BY 1 ORDER BY 1;
END $$;
