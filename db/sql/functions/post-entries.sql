-- post_entries(journal, accounts, amounts): writes entries in the given order; zeros are skipped.
-- Amounts are signed whole cents. The caller must have locked the accounts. A trigger on entries changes the balances.
CREATE FUNCTION post_entries(p_journal bigint, p_accounts bigint[], p_amounts bigint[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO entries (journal_id, account_id, amount_cents, balance_after_cents, held_after_cents, account_version)
  SELECT p_journal, x.account, x.amount, a.posted_cents + sum(x.amount) OVER so_far, a.held_cents,
    a.version + row_number() OVER so_far
  FROM unnest(p_accounts, p_amounts) WITH ORDINALITY AS x(account, amount, ord)
    JOIN accounts a ON a.id = x.account
  WHERE x.amount <> 0
  WINDOW so_far AS (PARTITION BY x.account ORDER BY x.ord)
$$;
