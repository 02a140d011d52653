-- A new call holds its wager on its wallet (held_cents, held_calls), counts there, and adds to its spot's pool.
-- Spots are locked in ascending order, after the wallets, so that two batches cannot wait for each other. A single spot
-- needs no order.
CREATE FUNCTION count_new_calls() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts a
  SET held_cents = held_cents + s.wager, held_calls = held_calls + s.n, moves_count = moves_count + s.n,
    recorded_calls = recorded_calls + s.n, revision = revision + 1
  FROM (SELECT account_id, count(*) AS n, sum(wager_cents) AS wager FROM added GROUP BY 1) s
  WHERE a.id = s.account_id;

  IF (SELECT min(spot_id) <> max(spot_id) FROM added) THEN
    PERFORM 1 FROM spots WHERE id IN (SELECT spot_id FROM added) ORDER BY id FOR NO KEY UPDATE;
  END IF;
  UPDATE spots p
  SET calls_count = calls_count + s.n, pool_cents = pool_cents + s.wager
  FROM (SELECT spot_id, count(*) AS n, sum(wager_cents) AS wager FROM added GROUP BY 1) s
  WHERE p.id = s.spot_id;
  RETURN NULL;
END $$;

CREATE TRIGGER calls_count_new AFTER INSERT ON calls REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_new_calls();
