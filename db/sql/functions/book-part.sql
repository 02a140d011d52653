-- book_part(journal, corrects, players, calls, accounts, users, amounts): books what goes with the payment of a part's calls. The
-- caller holds the wallets and has resolved the calls. p_calls, p_accounts, p_users and p_amounts have one element per call.
-- Whole cents. The opposite of all amounts is on the account clearing.
-- The first payments have been posted by the trigger on calls; the amounts of a correction (p_corrects) are booked here. A player who
-- has already spent the money that is taken back is first lent the difference (the receivable). Whatever is available afterwards
-- repays the receivable, also where a refund has only released a hold.
-- A receivable is only ever locked by who holds its wallet, so locking it here waits for nobody. held_after_cents is the held amount
-- after the whole part.
CREATE FUNCTION book_part(
  p_journal bigint, p_corrects boolean, p_players bigint[], p_calls bigint[], p_accounts bigint[], p_users bigint[],
  p_amounts bigint[]
) RETURNS void LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off
SET jit = off AS $$
DECLARE
  net bigint := (SELECT coalesce(sum(amount), 0) FROM unnest(p_amounts) AS a(amount));
  clearing bigint := (SELECT a.id FROM accounts a WHERE a.user_id IS NULL AND a.kind = 'clearing');
  v_wallets bigint[];     -- of the players who owe money and have some available now
  v_receivables bigint[];
  v_repaid bigint[];
BEGIN
  IF p_corrects IS NOT TRUE THEN
    SELECT array_agg(w.id), array_agg(r.id), array_agg(least(-r.posted_cents, w.posted_cents - w.held_cents))
      INTO v_wallets, v_receivables, v_repaid
      FROM unnest(p_players) AS p(id) JOIN LATERAL (
          SELECT r.id, r.user_id, r.posted_cents FROM accounts r
          WHERE r.user_id = p.id AND r.kind = 'receivable' AND r.posted_cents < 0 LIMIT 1
        ) r ON true JOIN accounts w ON w.user_id = r.user_id AND w.kind = 'wallet'
      WHERE w.posted_cents > w.held_cents;
    PERFORM 1 FROM accounts WHERE id = ANY (v_receivables || clearing) ORDER BY id FOR NO KEY UPDATE;
    IF v_wallets IS NOT NULL THEN
      PERFORM post_entries(p_journal, v_wallets || v_receivables,
        ARRAY(SELECT -amount FROM unnest(v_repaid) WITH ORDINALITY AS a(amount, n) ORDER BY n) || v_repaid);
    END IF;
    INSERT INTO entries (journal_id, account_id, amount_cents, balance_after_cents, held_after_cents, account_version)
      SELECT p_journal, a.id, -net, a.posted_cents - net, a.held_cents, a.version + 1
      FROM accounts a WHERE a.id = clearing AND net <> 0;
    RETURN;
  END IF;

  v_receivables := ARRAY(
    SELECT r.id FROM unnest(p_players) AS p(id) JOIN accounts r ON r.user_id = p.id AND r.kind = 'receivable'
  );
  PERFORM 1 FROM accounts WHERE id = ANY (v_receivables || clearing) ORDER BY id FOR NO KEY UPDATE;
  WITH nets AS MATERIALIZED (
    SELECT * FROM unnest(p_calls, p_accounts, p_users, p_amounts) AS q(call_id, account_id, user_id, amount)
  ), total AS MATERIALIZED (
    SELECT q.account_id, q.user_id, sum(q.amount)::bigint AS amount FROM nets q GROUP BY 1, 2
  ), repaid AS MATERIALIZED (
    SELECT a.id AS wallet, r.id AS receivable,
      least(-r.posted_cents, a.posted_cents - a.held_cents + t.amount) AS amount
    FROM total t JOIN accounts a ON a.id = t.account_id
      JOIN accounts r ON r.user_id = t.user_id AND r.kind = 'receivable'
  ), posting AS (
    SELECT q.account_id AS account, q.amount, q.call_id, 1 AS step FROM nets q WHERE q.amount <> 0
    UNION ALL
    SELECT wallet, -amount, NULL, CASE WHEN amount < 0 THEN 0 ELSE 2 END FROM repaid WHERE amount <> 0
    UNION ALL
    SELECT receivable, amount, NULL, 2 FROM repaid WHERE amount <> 0
    UNION ALL
    SELECT clearing, -net, NULL, 3 WHERE net <> 0
  )
  INSERT INTO entries (journal_id, account_id, call_id, amount_cents, balance_after_cents, held_after_cents, account_version)
  SELECT p_journal, p.account, p.call_id, p.amount, a.posted_cents + sum(p.amount) OVER so_far, a.held_cents,
    a.version + row_number() OVER so_far
  FROM posting p JOIN accounts a ON a.id = p.account
  WINDOW so_far AS (PARTITION BY p.account ORDER BY p.step, p.call_id);
END $$;
