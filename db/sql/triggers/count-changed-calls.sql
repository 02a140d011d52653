-- A call that is no longer placed or closed releases its hold, and its end is one more move of its wallet. A destroyed call also leaves its spot's pool. (The pool is that
-- of the event's current round; a new round starts only when no call is active.) The payout of a resolved call must equal that
-- of the live settlement of its round, and no call of a settlement is destroyed (check_violation).
-- The old rows are subtracted instead of being joined to the new ones: a join of the two transition tables is planned without
-- statistics and becomes quadratic. Every row is looked up by an index: see apply-entries.sql.
CREATE FUNCTION count_changed_calls() RETURNS trigger LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
BEGIN
  UPDATE accounts a
  SET held_cents = held_cents + s.wager, held_calls = held_calls + s.n, moves_count = moves_count - s.n,
    recorded_calls = recorded_calls - s.cancelled, resolved_calls = resolved_calls + s.resolved, revision = revision + 1
  FROM (
    SELECT account_id, sum(n) AS n, sum(wager) AS wager, sum(cancelled) AS cancelled, sum(resolved) AS resolved
    FROM (
      SELECT account_id, (state IN ('placed', 'closed'))::int AS n,
        CASE WHEN state IN ('placed', 'closed') THEN wager_cents ELSE 0 END AS wager,
        (state = 'soft_destroyed' AND refunded_by IS NULL)::int AS cancelled, (state = 'resolved')::int AS resolved
      FROM after
      UNION ALL
      SELECT account_id, -1, -wager_cents, 0, 0 FROM before WHERE state IN ('placed', 'closed')
      UNION ALL
      SELECT account_id, 0, 0, 0, -1 FROM before WHERE state = 'resolved'
    ) change
    GROUP BY 1 HAVING sum(n) <> 0
  ) s
  WHERE a.id = s.account_id;

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

  -- The payout of a resolved call must equal that of the live settlement.
  IF EXISTS (
    SELECT 1 FROM after c
    WHERE c.state = 'resolved' AND (
      SELECT l.payout_cents = c.payout_cents AND l.outcome = c.outcome FROM settlement_lines l
      WHERE l.call_id = c.id AND l.settlement_id = (
        SELECT s.id FROM settlements s WHERE s.event_id = c.event_id AND s.round = c.round AND NOT s.superseded
      )
    ) IS NOT TRUE
  ) THEN
    RAISE EXCEPTION 'payout is not what the live settlement paid' USING ERRCODE = '23514';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER calls_count_changed AFTER UPDATE ON calls REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_changed_calls();
