-- Updates posted_cents, version and moves_count of each account from its new entries, once for each statement, and the totals
-- by kind of account.
-- Raises check_violation for an entry of a journal of another transaction (check-journal.sql checks a journal only once, when it
-- commits), for an entry of a call that is not on the wallet of that call, for an entry on an unknown account, and if the last
-- entry of an account has another balance than the account. The entry of a call's first payment is not listed, and only the
-- trigger on calls writes it, which posts it too (count-changed-calls.sql): that one has trigger depth 2 here, and no setting of a
-- client can change that.
-- These checks replace foreign keys, which are checked row by row and took longer than the rest of paying. They are enough,
-- because accounts, journals and calls are never deleted.
-- Every row is looked up by an index. The plan is made once, for the first statement; a plan that scans a whole table would be
-- used for the thousandth part of a settlement as well.
CREATE FUNCTION apply_entries() RETURNS trigger LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
DECLARE
  moved int;
BEGIN
  IF pg_trigger_depth() > 1 AND NOT EXISTS (SELECT 1 FROM added WHERE listed) THEN
    RETURN NULL;
  END IF;
  IF EXISTS (
    SELECT 1 FROM (SELECT DISTINCT journal_id FROM added) e LEFT JOIN journal j ON j.id = e.journal_id
    WHERE j.tx IS DISTINCT FROM pg_current_xact_id()
  ) THEN
    RAISE EXCEPTION 'journal is sealed' USING ERRCODE = '23514';
  END IF;
  IF EXISTS (
    SELECT 1 FROM added e
    WHERE e.call_id IS NOT NULL AND (SELECT c.account_id FROM calls c WHERE c.id = e.call_id) IS DISTINCT FROM e.account_id
  ) THEN
    RAISE EXCEPTION 'entry of a call is not on its wallet' USING ERRCODE = '23514';
  END IF;

  IF EXISTS (
    SELECT 1 FROM added e WHERE NOT e.listed OR e.call_id IS NOT NULL
      AND (SELECT j.kind FROM journal j WHERE j.id = e.journal_id) = 'settle'
  ) THEN
    RAISE EXCEPTION 'entry is listed wrongly' USING ERRCODE = '23514';
  END IF;

  UPDATE accounts a
  SET posted_cents = posted_cents + s.amount, version = version + s.n, moves_count = moves_count + s.n,
    revision = revision + 1
  FROM (
    SELECT account_id, sum(amount_cents) AS amount, count(*) AS n FROM added GROUP BY 1
  ) s
  WHERE a.id = s.account_id;
  GET DIAGNOSTICS moved = ROW_COUNT;
  IF moved <> (SELECT count(DISTINCT account_id) FROM added) THEN
    RAISE EXCEPTION 'entry is on no account' USING ERRCODE = '23514';
  END IF;

  -- The last entry of every account must equal the account.
  IF EXISTS (
    SELECT 1
    FROM (
      SELECT DISTINCT ON (account_id) account_id, balance_after_cents, held_after_cents, account_version
      FROM added ORDER BY account_id, account_version DESC
    ) l JOIN accounts a ON a.id = l.account_id
    WHERE (a.posted_cents, a.held_cents, a.version)
      IS DISTINCT FROM (l.balance_after_cents, l.held_after_cents, l.account_version)
  ) THEN
    RAISE EXCEPTION 'entry does not continue its account' USING ERRCODE = '23514';
  END IF;

  PERFORM add_to_total(a.kind, 0, sum(e.amount)::bigint)
    FROM (SELECT account_id, sum(amount_cents) AS amount FROM added GROUP BY 1) e JOIN accounts a ON a.id = e.account_id
    GROUP BY a.kind;
  RETURN NULL;
END $$;

CREATE TRIGGER entries_apply AFTER INSERT ON entries REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION apply_entries();
