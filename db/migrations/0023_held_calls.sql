ALTER TABLE "accounts" ADD COLUMN "held_calls" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- An active call counts on its wallet, so that nobody has to count calls to say how many a player has placed.
UPDATE accounts a SET held_calls = c.n
  FROM (SELECT account_id, count(*) AS n FROM calls WHERE state IN ('placed', 'closed') GROUP BY 1) c
  WHERE a.id = c.account_id;
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "wallet_holds_calls" CHECK ("accounts"."held_calls" BETWEEN 0 AND "accounts"."held_cents" AND ("accounts"."held_calls" = 0) = ("accounts"."held_cents" = 0));
--> statement-breakpoint
DROP TRIGGER accounts_balances ON accounts;
CREATE TRIGGER accounts_balances BEFORE UPDATE OF posted_cents, held_cents, held_calls, version, revision ON accounts
  FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION deny_transition();
--> statement-breakpoint
-- As before, and counts what is held.
CREATE OR REPLACE FUNCTION count_new_calls() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts a
  SET held_cents = held_cents + s.wager, held_calls = held_calls + s.n, revision = revision + 1
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
--> statement-breakpoint
-- As before, and counts what is held.
CREATE OR REPLACE FUNCTION count_changed_calls() RETURNS trigger LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
BEGIN
  UPDATE accounts a
  SET held_cents = held_cents + s.wager, held_calls = held_calls + s.n, revision = revision + 1
  FROM (
    SELECT account_id, sum(n) AS n, sum(wager) AS wager
    FROM (
      SELECT account_id, 1 AS n, wager_cents AS wager FROM after WHERE state IN ('placed', 'closed')
      UNION ALL
      SELECT account_id, -1, -wager_cents FROM before WHERE state IN ('placed', 'closed')
    ) change
    GROUP BY 1 HAVING sum(n) <> 0
  ) s
  WHERE a.id = s.account_id;

  IF EXISTS (SELECT 1 FROM after WHERE state = 'soft_destroyed') THEN
    PERFORM 1 FROM spots WHERE id IN (SELECT spot_id FROM after WHERE state = 'soft_destroyed')
      ORDER BY id FOR NO KEY UPDATE;
    UPDATE spots p
    SET calls_count = calls_count - s.n, pool_cents = pool_cents - s.wager
    FROM (
      SELECT spot_id, count(*) AS n, sum(wager_cents) AS wager FROM after WHERE state = 'soft_destroyed' GROUP BY 1
    ) s
    WHERE p.id = s.spot_id;
  END IF;

  -- What a call says it was paid is what the live settlement of its round paid it.
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
--> statement-breakpoint
-- As before, and compares the number of active calls.
CREATE OR REPLACE VIEW reconcile AS
  SELECT 'entries do not sum to zero' AS name, abs(coalesce(sum(amount_cents), 0))::bigint AS bad FROM entries
  UNION ALL
  SELECT 'journals that do not balance', count(*)
  FROM (SELECT journal_id FROM entries GROUP BY 1 HAVING sum(amount_cents) <> 0) q
  UNION ALL
  SELECT 'accounts that do not follow their entries', count(*)
  FROM accounts a LEFT JOIN (
    SELECT account_id, sum(amount_cents) AS amount, count(*) AS n FROM entries GROUP BY 1
  ) e ON e.account_id = a.id
  WHERE a.posted_cents <> coalesce(e.amount, 0) OR a.version <> coalesce(e.n, 0)
  UNION ALL
  SELECT 'wallets that do not hold their active calls', count(*)
  FROM accounts a LEFT JOIN (
    SELECT account_id, count(*) AS n, sum(wager_cents) AS wager FROM calls WHERE state IN ('placed', 'closed') GROUP BY 1
  ) c ON c.account_id = a.id
  WHERE a.held_cents <> coalesce(c.wager, 0) OR a.held_calls <> coalesce(c.n, 0)
  UNION ALL
  SELECT 'total held is not total exposure', abs(
    coalesce((SELECT sum(held_cents) FROM accounts), 0) - coalesce((SELECT sum(staked_cents) FROM exposure), 0))::bigint
  UNION ALL
  SELECT 'overdrawn wallets', count(*) FROM accounts WHERE kind = 'wallet' AND posted_cents - held_cents < 0
  UNION ALL
  SELECT 'entries that do not continue the one before', count(*)
  FROM (
    SELECT balance_after_cents - amount_cents AS before,
      coalesce(lag(balance_after_cents) OVER (PARTITION BY account_id ORDER BY account_version), 0) AS previous
    FROM entries
  ) q WHERE before <> previous
  UNION ALL
  SELECT 'spots whose counters are not their calls', count(*)
  FROM spots s JOIN events e ON e.id = s.event_id LEFT JOIN (
    SELECT spot_id, round, count(*) AS n, sum(wager_cents) AS wager FROM calls
    WHERE state <> 'soft_destroyed' GROUP BY 1, 2
  ) c ON c.spot_id = s.id AND c.round = e.round
  WHERE s.calls_count <> coalesce(c.n, 0) OR s.pool_cents <> coalesce(c.wager, 0)
  UNION ALL
  SELECT 'settlements that do not conserve the pool', count(*)
  FROM settlements s LEFT JOIN (
    SELECT settlement_id, count(*) AS n, sum(payout_cents) AS paid FROM settlement_lines GROUP BY 1
  ) l ON l.settlement_id = s.id
  WHERE s.pool_cents + s.refunded_cents <> coalesce(l.paid, 0) OR s.calls_count <> coalesce(l.n, 0)
  UNION ALL
  SELECT 'calls whose entries are not payout minus wager', count(*)
  FROM calls c LEFT JOIN (
    SELECT call_id, sum(amount_cents) AS amount FROM entries WHERE call_id IS NOT NULL GROUP BY 1
  ) e ON e.call_id = c.id
  WHERE coalesce(e.amount, 0) <> CASE WHEN c.state = 'resolved' THEN c.payout_cents - c.wager_cents ELSE 0 END
  UNION ALL
  SELECT 'resolved calls that differ from the live settlement', count(*)
  FROM calls c
  WHERE c.state = 'resolved' AND NOT EXISTS (
    SELECT 1 FROM settlements s JOIN settlement_lines l ON l.settlement_id = s.id
    WHERE s.event_id = c.event_id AND s.round = c.round AND NOT s.superseded
      AND l.call_id = c.id AND l.payout_cents = c.payout_cents AND l.outcome = c.outcome
  ) AND NOT EXISTS (
    -- Whom it has not come to yet is paid as an earlier one says.
    SELECT 1 FROM settlements s JOIN settlements b ON b.event_id = s.event_id AND b.round = s.round AND b.superseded
      JOIN settlement_lines l ON l.settlement_id = b.id
    WHERE s.event_id = c.event_id AND s.round = c.round AND NOT s.superseded AND s.paid_at IS NULL
      AND (s.paid_from_user_id IS NULL OR c.user_id < s.paid_from_user_id)
      AND l.call_id = c.id AND l.payout_cents = c.payout_cents AND l.outcome = c.outcome
  )
  UNION ALL
  SELECT 'events whose result is not the live settlement', count(*)
  FROM events e LEFT JOIN settlements s ON s.event_id = e.id AND s.round = e.round AND NOT s.superseded
  WHERE e.result IS DISTINCT FROM s.result
  UNION ALL
  SELECT 'active calls on a resolved event', count(*)
  FROM calls c JOIN events e ON e.id = c.event_id
  WHERE e.result IS NOT NULL AND c.state IN ('placed', 'closed') AND NOT EXISTS (
    SELECT 1 FROM settlements s
    WHERE c.state = 'closed' AND s.event_id = e.id AND s.round = c.round AND NOT s.superseded AND s.paid_at IS NULL
      AND (s.paid_from_user_id IS NULL OR c.user_id < s.paid_from_user_id)
  )
  UNION ALL
  SELECT 'settlements that have not paid as many calls as they say', count(*)
  FROM settlements s
  WHERE NOT s.superseded AND s.paid_at IS NULL AND s.paid_calls_count <> (
    SELECT count(*) FROM calls c
    WHERE c.event_id = s.event_id AND c.round = s.round AND c.state = 'resolved' AND c.user_id >= s.paid_from_user_id
  )
  UNION ALL
  SELECT 'clearing is not what is still to be paid', abs(
    coalesce((SELECT posted_cents FROM accounts WHERE kind = 'clearing'), 0) + coalesce((
      SELECT sum(c.payout_cents - c.wager_cents)
      FROM settlements s JOIN calls c ON c.event_id = s.event_id AND c.round = s.round
      WHERE NOT s.superseded AND s.paid_at IS NULL AND c.state = 'resolved'
    ), 0))::bigint
  UNION ALL
  SELECT 'placed calls on an event that is not open', count(*)
  FROM calls c JOIN events e ON e.id = c.event_id WHERE c.state = 'placed' AND e.state <> 'open'
  UNION ALL
  SELECT 'active calls of an earlier round', count(*)
  FROM calls c JOIN events e ON e.id = c.event_id WHERE c.state IN ('placed', 'closed') AND c.round <> e.round
  UNION ALL
  SELECT 'calls and settlements of a round to come',
    (SELECT count(*) FROM calls c JOIN events e ON e.id = c.event_id WHERE c.round > e.round)
    + (SELECT count(*) FROM settlements s JOIN events e ON e.id = s.event_id WHERE s.round > e.round)
  UNION ALL
  SELECT 'earlier rounds settled otherwise than void', count(*)
  FROM settlements s JOIN events e ON e.id = s.event_id
  WHERE s.round < e.round AND NOT s.superseded AND s.result <> 'void'
  UNION ALL
  SELECT 'players over the limit of an event', count(*)
  FROM (
    SELECT 1 FROM calls c JOIN events e ON e.id = c.event_id AND e.round = c.round
    WHERE c.state <> 'soft_destroyed'
    GROUP BY c.event_id, c.user_id, e.max_wager_cents HAVING sum(c.wager_cents) > e.max_wager_cents
  ) q
  UNION ALL
  SELECT 'calls without their wallet or spot', count(*)
  FROM calls c LEFT JOIN accounts a ON a.id = c.account_id AND a.user_id = c.user_id AND a.kind = 'wallet'
    LEFT JOIN spots s ON s.id = c.spot_id AND s.event_id = c.event_id
  WHERE a.id IS NULL OR s.id IS NULL
  UNION ALL
  SELECT 'payments without their journals', count(*)
  FROM payments p LEFT JOIN journal d ON d.id = p.journal_id AND d.kind = 'deposit'
  WHERE (p.state IN ('succeeded', 'refunded')) <> (d.id IS NOT NULL)
  UNION ALL
  SELECT 'chargebacks without their journals', count(*)
  FROM chargebacks c LEFT JOIN journal t ON t.id = c.journal_id AND t.kind = 'chargeback'
    LEFT JOIN journal r ON r.id = c.return_journal_id AND r.kind = 'chargeback'
  WHERE (c.journal_id IS NOT NULL) <> (t.id IS NOT NULL) OR (c.return_journal_id IS NOT NULL) <> (r.id IS NOT NULL)
  UNION ALL
  SELECT 'payments whose chargebacks do not add up', count(*)
  FROM payments p LEFT JOIN (
    SELECT payment_id, sum(amount_cents) AS amount FROM chargebacks WHERE state = 'taken' GROUP BY 1
  ) c ON c.payment_id = p.id
  WHERE p.refunded_cents <> coalesce(c.amount, 0)
  UNION ALL
  SELECT 'money from outside is not what was paid in', abs(
    coalesce((SELECT posted_cents FROM accounts WHERE kind = 'external'), 0) + coalesce((
      SELECT sum(amount_cents - refunded_cents) FROM payments WHERE state IN ('succeeded', 'refunded')
    ), 0))::bigint;
--> statement-breakpoint

-- Places a batch of calls as place_calls does, and shows each that stands (placed now, or replayed) with all that its owner
-- is answered: the call with its event and session, the wallet and the sums of the results. One trip to the database
-- instead of four.
CREATE FUNCTION place_and_show_calls(
  p_users bigint[], p_spots bigint[], p_wagers bigint[], p_keys text[], p_fences bigint[] DEFAULT NULL
) RETURNS TABLE (
  ord int, code text, call_id bigint, late_ms float8,
  user_id bigint, event_id bigint, spot_id bigint, state text, wager_cents bigint, outcome text, payout_cents bigint,
  placed_at timestamptz, side text, event_title text, event_state text, true_label text, false_label text,
  closes_at timestamptz, resolved_at timestamptz, session_id bigint, session_slug text, session_name text,
  session_state text,
  account_id bigint, posted_cents bigint, held_cents bigint, held_calls int, owed_cents bigint, revision bigint,
  calls_count int, wins int, losses int, refunded int, wagered_cents bigint, returned_cents bigint, current_streak int,
  best_streak int
) LANGUAGE plpgsql ROWS 64
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
  v_code text[];
  v_call bigint[];
  v_late float8[];
BEGIN
  SELECT array_agg(p.code ORDER BY p.ord), array_agg(p.call_id ORDER BY p.ord), array_agg(p.late_ms ORDER BY p.ord)
    INTO v_code, v_call, v_late FROM place_calls(p_users, p_spots, p_wagers, p_keys, p_fences) p;
  -- A statement of its own, because only what begins after the placing sees what was placed.
  RETURN QUERY
    SELECT i.ord::int, i.code, i.call, i.late,
      c.user_id, c.event_id, c.spot_id, c.state, c.wager_cents, c.outcome, c.payout_cents, c.placed_at,
      s.side, e.title, e.state, e.true_label, e.false_label, e.closes_at, e.resolved_at, e.session_id,
      z.slug, z.name, z.state,
      w.id, w.posted_cents, w.held_cents, w.held_calls, -r.posted_cents, w.revision,
      t.calls_count, t.wins, t.losses, t.refunded, t.wagered_cents, t.returned_cents, t.current_streak, t.best_streak
    FROM unnest(v_code, v_call, v_late) WITH ORDINALITY AS i(code, call, late, ord)
      LEFT JOIN LATERAL (
        SELECT * FROM calls c WHERE c.id = i.call AND i.code IN ('placed', 'replayed') LIMIT 1
      ) c ON true
      LEFT JOIN LATERAL (SELECT s.side FROM spots s WHERE s.id = c.spot_id LIMIT 1) s ON true
      LEFT JOIN LATERAL (SELECT * FROM events e WHERE e.id = c.event_id LIMIT 1) e ON true
      LEFT JOIN LATERAL (SELECT z.slug, z.name, z.state FROM sessions z WHERE z.id = e.session_id LIMIT 1) z ON true
      LEFT JOIN LATERAL (SELECT * FROM accounts w WHERE w.id = c.account_id LIMIT 1) w ON true
      LEFT JOIN LATERAL (
        SELECT r.posted_cents FROM accounts r WHERE r.user_id = c.user_id AND r.kind = 'receivable' LIMIT 1
      ) r ON true
      LEFT JOIN LATERAL (SELECT * FROM scores t WHERE t.user_id = c.user_id AND t.session_id IS NULL LIMIT 1) t ON true
    ORDER BY i.ord;
END $$;
