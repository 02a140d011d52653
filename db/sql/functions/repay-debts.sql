-- repay_debts(calls): a debt is paid first from what these calls have released. Books, for each of their players who owes money,
-- as much of what is available now as the debt needs. A release books nothing itself, so the repayment is a journal of its own, one
-- for all players of the statement that released the calls. Writes nothing where nobody owes.
-- The caller has released the calls, which must all be of one event, and holds their wallets. A receivable is only ever locked by
-- who holds its wallet, so locking it here waits for nobody.
-- Example: a player owes 150 and takes back a call of 200: 150 of them go to the debt, and 50 are available.
CREATE FUNCTION repay_debts(p_calls bigint[]) RETURNS void LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
DECLARE
  v_wallets bigint[];
  v_receivables bigint[];
  v_amounts bigint[];
  v_journal bigint;
BEGIN
  SELECT array_agg(w.id ORDER BY w.id), array_agg(r.id ORDER BY w.id),
      array_agg(least(-r.posted_cents, w.posted_cents - w.held_cents) ORDER BY w.id)
    INTO v_wallets, v_receivables, v_amounts
    FROM (SELECT DISTINCT account_id FROM calls WHERE id = ANY (p_calls)) c
      JOIN accounts w ON w.id = c.account_id
      JOIN accounts r ON r.user_id = w.user_id AND r.kind = 'receivable'
    WHERE r.posted_cents < 0 AND w.posted_cents > w.held_cents;
  IF v_wallets IS NULL THEN
    RETURN;
  END IF;
  PERFORM 1 FROM accounts WHERE id = ANY (v_receivables) ORDER BY id FOR NO KEY UPDATE;
  -- A call is released once, so its id makes the key unique.
  INSERT INTO journal (kind, idempotency_key, request_hash, event_id, round)
    SELECT 'repay', 'repay-' || c.id, 'repay', c.event_id, c.round
    FROM calls c WHERE c.id = ANY (p_calls) ORDER BY c.id LIMIT 1
    RETURNING id INTO v_journal;
  PERFORM post_entries(v_journal, v_wallets || v_receivables,
    ARRAY(SELECT -amount FROM unnest(v_amounts) WITH ORDINALITY AS a(amount, n) ORDER BY n) || v_amounts);
END $$;
