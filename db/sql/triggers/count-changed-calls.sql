-- A call that is no longer placed or closed releases its hold, and its end is one more move of its wallet. A call that becomes
-- resolved also posts what it pays, its payout minus its wager, and writes the entry for that, unless it is zero. So a wallet is
-- written once for all its calls of a statement. A destroyed call leaves its spot's pool. (The pool is that of the event's current
-- round; a new round starts only when no call is active.)
-- Raises check_violation for a resolved call whose payout is not that of the live settlement of its round, for a destroyed call of a
-- settlement, and for a statement that resolves calls and changes resolved ones; not_null_violation for a call that becomes resolved
-- in a transaction without a journal that pays this settlement for the first time.
-- The old rows are subtracted instead of being joined to the new ones: a join of the two transition tables is planned without
-- statistics and becomes quadratic. Every row is looked up by an index: see apply-entries.sql.
CREATE FUNCTION count_changed_calls() RETURNS trigger LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
DECLARE
  now_resolved int := (SELECT count(*) FROM after WHERE state = 'resolved');
  were_resolved int := (SELECT count(*) FROM before WHERE state = 'resolved');
  pays boolean := now_resolved > 0 AND were_resolved = 0; -- the resolved calls of the statement are paid for the first time
  at timestamptz := game_now();
BEGIN
  IF now_resolved = 0 AND NOT EXISTS (SELECT 1 FROM after WHERE state = 'soft_destroyed') THEN
    RETURN NULL; -- placed calls were closed: nothing that is counted has changed
  END IF;
  IF now_resolved > 0 AND EXISTS (
    WITH live AS MATERIALIZED (
      SELECT r.event_id, r.round, (
        SELECT s.id FROM settlements s WHERE s.event_id = r.event_id AND s.round = r.round AND NOT s.superseded
      ) AS id
      FROM (SELECT DISTINCT event_id, round FROM after WHERE state = 'resolved') r
    )
    SELECT 1 FROM live JOIN after c ON c.event_id = live.event_id AND c.round = live.round
    WHERE c.state = 'resolved' AND (
      SELECT l.payout_cents = c.payout_cents AND l.outcome = c.outcome FROM settlement_lines l
      WHERE l.settlement_id = live.id AND l.call_id = c.id
    ) IS NOT TRUE
  ) THEN
    RAISE EXCEPTION 'payout is not what the live settlement paid' USING ERRCODE = '23514';
  ELSIF were_resolved > 0 AND now_resolved <> were_resolved THEN
    RAISE EXCEPTION 'one statement resolves calls and changes resolved ones' USING ERRCODE = '23514';
  END IF;

  UPDATE accounts a
  SET held_cents = held_cents + s.wager, held_calls = held_calls + s.n, moves_count = moves_count - s.n,
    recorded_calls = recorded_calls - s.cancelled, cancelled_calls = cancelled_calls + s.cancelled,
    resolved_calls = resolved_calls + s.resolved, posted_cents = posted_cents + s.paid, version = version + s.entries, revision = revision + 1
  FROM (
    SELECT account_id, sum(n) AS n, sum(wager)::bigint AS wager, sum(cancelled) AS cancelled, sum(resolved) AS resolved,
      sum(paid)::bigint AS paid, count(*) FILTER (WHERE paid <> 0) AS entries
    FROM (
      SELECT account_id, (state IN ('placed', 'closed'))::int AS n,
        CASE WHEN state IN ('placed', 'closed') THEN wager_cents ELSE 0 END AS wager,
        (state = 'soft_destroyed' AND refunded_by IS NULL)::int AS cancelled, (state = 'resolved')::int AS resolved,
        CASE WHEN pays AND state = 'resolved' THEN payout_cents - wager_cents ELSE 0 END AS paid
      FROM after
      UNION ALL
      SELECT account_id, -1, -wager_cents, 0, 0, 0 FROM before WHERE state IN ('placed', 'closed')
      UNION ALL
      SELECT account_id, 0, 0, 0, -1, 0 FROM before WHERE state = 'resolved'
    ) change
    GROUP BY 1 HAVING sum(n) <> 0
  ) s
  WHERE a.id = s.account_id;

  IF pays THEN
    -- Backwards from the wallet's new balance and version, which are those of its last entry.
    -- The journal is looked up once, and not for each call: a large settlement has one for each of its parts.
    INSERT INTO entries (journal_id, account_id, call_id, amount_cents, balance_after_cents, held_after_cents,
      account_version, listed, created_at)
    WITH paying AS MATERIALIZED (
      SELECT r.event_id, r.round, (
        SELECT j.id FROM settlements s JOIN journal j ON j.event_id = s.event_id AND s.journal_id IN (j.id, j.part_of_id)
        WHERE s.event_id = r.event_id AND s.round = r.round AND NOT s.superseded
          AND j.kind = 'settle' AND j.tx = pg_current_xact_id()
        ORDER BY j.id DESC LIMIT 1
      ) AS journal_id
      FROM (SELECT DISTINCT event_id, round FROM after WHERE state = 'resolved') r
    )
    SELECT p.journal_id, p.account_id, p.call_id, p.amount, a.posted_cents + p.amount - sum(p.amount) OVER backwards,
      a.held_cents, a.version + 1 - row_number() OVER backwards, false, at
    FROM (
      SELECT j.journal_id, c.account_id, c.id AS call_id, c.payout_cents - c.wager_cents AS amount
      FROM paying j JOIN after c ON c.event_id = j.event_id AND c.round = j.round
      WHERE c.state = 'resolved' AND c.payout_cents <> c.wager_cents
    ) p JOIN LATERAL (
      SELECT a.posted_cents, a.held_cents, a.version FROM accounts a WHERE a.id = p.account_id LIMIT 1
    ) a ON true
    WINDOW backwards AS (PARTITION BY p.account_id ORDER BY p.call_id DESC)
    ORDER BY p.account_id, p.call_id;
    PERFORM add_to_total('wallet', 0, sum(payout_cents - wager_cents)::bigint) FROM after WHERE state = 'resolved'
      HAVING sum(payout_cents - wager_cents) <> 0;
  END IF;

  IF EXISTS (SELECT 1 FROM after WHERE state = 'soft_destroyed') THEN
    IF EXISTS (
      SELECT 1 FROM (SELECT DISTINCT event_id, round FROM after WHERE state = 'soft_destroyed') c
        JOIN settlements s ON s.event_id = c.event_id AND s.round = c.round AND NOT s.superseded
    ) THEN
      RAISE EXCEPTION 'the payout of a destroyed call is decided' USING ERRCODE = '23514';
    END IF;
    PERFORM 1 FROM spots WHERE id IN (SELECT spot_id FROM after WHERE state = 'soft_destroyed')
      ORDER BY id FOR NO KEY UPDATE;
    UPDATE spots p
    SET calls_count = calls_count - s.n, pool_cents = pool_cents - s.wager
    FROM (
      SELECT spot_id, count(*) AS n, sum(wager_cents) AS wager FROM after WHERE state = 'soft_destroyed' GROUP BY 1
    ) s
    WHERE p.id = s.spot_id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER calls_count_changed AFTER UPDATE ON calls REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_changed_calls();
