ALTER TABLE "accounts" DROP CONSTRAINT "accounts_kind_known";--> statement-breakpoint
ALTER TABLE "journal" DROP CONSTRAINT "journal_resettle";--> statement-breakpoint
ALTER TABLE "journal" ADD COLUMN "part_of_id" bigint;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "calls_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "paid_calls_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "paid_from_user_id" bigint;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "paid_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "journal" ADD CONSTRAINT "journal_part_of_id_journal_id_fk" FOREIGN KEY ("part_of_id") REFERENCES "public"."journal"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "settlements_unpaid" ON "settlements" USING btree ("id") WHERE paid_at IS NULL AND NOT superseded;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_kind_known" CHECK ("accounts"."kind" IN ('wallet', 'receivable', 'house', 'external', 'promo', 'clearing'));--> statement-breakpoint
ALTER TABLE "journal" ADD CONSTRAINT "journal_part" CHECK ("journal"."part_of_id" IS NULL OR ("journal"."kind" IN ('settle', 'resettle') AND "journal"."supersedes_id" IS NULL));--> statement-breakpoint
ALTER TABLE "journal" ADD CONSTRAINT "journal_resettle" CHECK ("journal"."part_of_id" IS NOT NULL OR ("journal"."kind" = 'resettle') = ("journal"."supersedes_id" IS NOT NULL));--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_paid" CHECK ("settlements"."paid_at" IS NULL OR "settlements"."paid_calls_count" = "settlements"."calls_count");--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_paid_calls" CHECK ("settlements"."paid_calls_count" BETWEEN 0 AND "settlements"."calls_count");
--> statement-breakpoint
-- What was settled so far was paid at once.
UPDATE settlements s SET calls_count = l.n, paid_calls_count = l.n
  FROM (SELECT settlement_id, count(*) AS n FROM settlement_lines GROUP BY 1) l WHERE l.settlement_id = s.id;
UPDATE settlements SET paid_at = created_at;
--> statement-breakpoint
-- Where money is while a settlement is paid in parts: what the parts so far have taken from the losers and not yet given to
-- the winners, or the other way round. Nothing once all parts are paid.
INSERT INTO accounts (kind) VALUES ('clearing');
--> statement-breakpoint

-- The only changes of a settlement: it pays on, and it is superseded, once.
DROP TRIGGER settlements_terms ON settlements;
CREATE TRIGGER settlements_terms BEFORE UPDATE OF
  id, event_id, round, version, result, effective_at, journal_id, pool_cents, winning_pool_cents, refunded_cents,
  calls_count, created_at ON settlements FOR EACH ROW EXECUTE FUNCTION deny_transition();
CREATE TRIGGER settlements_progress BEFORE UPDATE OF paid_calls_count, paid_from_user_id, paid_at ON settlements
  FOR EACH ROW
  WHEN (OLD.paid_at IS NOT NULL OR NEW.paid_calls_count < OLD.paid_calls_count
    OR coalesce(NEW.paid_from_user_id >= OLD.paid_from_user_id, OLD.paid_from_user_id IS NOT NULL))
  EXECUTE FUNCTION deny_transition();
--> statement-breakpoint

-- ===== Triggers that meet thousands of rows at once =====

-- What foreign keys of entries and lines said is checked here for all rows of a statement together: row by row it took
-- longer than all else. Accounts, journals, calls and settlements are never deleted.
ALTER TABLE entries DROP CONSTRAINT entries_journal_id_journal_id_fk, DROP CONSTRAINT entries_account_id_accounts_id_fk,
  DROP CONSTRAINT entries_call_id_calls_id_fk;
ALTER TABLE settlement_lines DROP CONSTRAINT settlement_lines_settlement_id_settlements_id_fk,
  DROP CONSTRAINT settlement_lines_call_id_calls_id_fk;
-- As in 0002, and besides: every row is looked up by an index. Such a statement is planned once, for whatever came first;
-- a plan that reads a whole table would go on being used for the thousandth part of a settlement as well.
CREATE OR REPLACE FUNCTION count_changed_calls() RETURNS trigger LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
BEGIN
  UPDATE accounts a
  SET held_cents = held_cents + s.wager, revision = revision + 1
  FROM (
    SELECT account_id, sum(wager) AS wager
    FROM (
      SELECT account_id, wager_cents AS wager FROM after WHERE state IN ('placed', 'closed')
      UNION ALL
      SELECT account_id, -wager_cents FROM before WHERE state IN ('placed', 'closed')
    ) change
    GROUP BY 1 HAVING sum(wager) <> 0
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
CREATE OR REPLACE FUNCTION apply_entries() RETURNS trigger LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
DECLARE
  moved int;
BEGIN
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

  UPDATE accounts a
  SET posted_cents = posted_cents + s.amount, version = version + s.n, revision = revision + 1
  FROM (SELECT account_id, sum(amount_cents) AS amount, count(*) AS n FROM added GROUP BY 1) s
  WHERE a.id = s.account_id;
  GET DIAGNOSTICS moved = ROW_COUNT;
  IF moved <> (SELECT count(DISTINCT account_id) FROM added) THEN
    RAISE EXCEPTION 'entry is on no account' USING ERRCODE = '23514';
  END IF;

  -- The last entry of every account must say what the account now holds.
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
  RETURN NULL;
END $$;
--> statement-breakpoint

-- Lines join only the transaction of their settlement, and are of calls of its event and round.
CREATE OR REPLACE FUNCTION check_lines_sealed() RETURNS trigger LANGUAGE plpgsql
SET enable_nestloop = off SET jit = off AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM (SELECT DISTINCT settlement_id FROM added) l
      LEFT JOIN settlements s ON s.id = l.settlement_id LEFT JOIN journal j ON j.id = s.journal_id
    WHERE j.tx IS DISTINCT FROM pg_current_xact_id()
  ) THEN
    RAISE EXCEPTION 'settlement is sealed' USING ERRCODE = '23514';
  END IF;
  IF EXISTS (
    SELECT 1 FROM added l LEFT JOIN settlements s ON s.id = l.settlement_id LEFT JOIN calls c ON c.id = l.call_id
    WHERE (c.event_id, c.round) IS DISTINCT FROM (s.event_id, s.round)
  ) THEN
    RAISE EXCEPTION 'line is not of a call of its event' USING ERRCODE = '23514';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint

-- ===== Deciding, and paying in parts =====

-- Up to so many calls are paid in the transaction that decides.
CREATE FUNCTION settle_at_once_max() RETURNS int LANGUAGE sql STABLE AS $$ SELECT 5000 $$;
-- More are paid in parts of so many. Whoever has a wallet in a part waits for it with the next call.
CREATE FUNCTION settle_part_max() RETURNS int LANGUAGE sql STABLE AS $$ SELECT 1000 $$;

DROP FUNCTION settle_event_calls(bigint, text, bigint, timestamptz, text);
DROP FUNCTION post_settlement(bigint, bigint, bigint);
--> statement-breakpoint
-- Decides what the closed calls of the event's round are paid, or decides anew, in which case a reason is required. Every
-- amount is written here and never changes; who is paid when is up to pay_settlement_part. A settlement that another one
-- supersedes pays no more, however far it has come. Asked for what is already so, it answers the live settlement and
-- changes nothing. A reset first settles again as void, then begins its round. Answers the settlement.
-- Nested loops are off because rows just written have no statistics; jit because that penalty would trigger it.
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
      winning_pool_cents, refunded_cents, calls_count)
    SELECT p_event, e.round, v_version, p_result, p_effective_at, v_journal,
      coalesce(sum(q.wager) FILTER (WHERE q.counts), 0),
      coalesce(sum(q.wager) FILTER (WHERE q.counts AND q.won), 0),
      coalesce(sum(q.wager) FILTER (WHERE NOT q.counts), 0), count(*)
    FROM (
      SELECT c.wager_cents AS wager, s.side = p_result AS won,
        p_effective_at IS NULL OR c.placed_at < p_effective_at AS counts
      FROM calls c JOIN spots s ON s.id = c.spot_id
      WHERE c.event_id = p_event AND c.round = e.round AND c.state IN ('closed', 'resolved')
    ) q
    RETURNING id INTO v_settlement;
  INSERT INTO settlement_lines (settlement_id, call_id, payout_cents, outcome)
    SELECT v_settlement, p.call_id, p.payout_cents, p.outcome
    FROM payouts(p_event, e.round, p_result, p_effective_at) p;
  RETURN v_settlement;
END $$;
--> statement-breakpoint
-- Pays the next players of a settlement, the highest first: as many as have p_calls_max calls together, and never less than
-- one player with all own calls. So a player is paid once, whole, and whoever waits for a wallet that is paid here, while
-- holding lower ones, finds the next ones paid already. What is booked is what a call is paid now minus what it was paid
-- before (or, the first time, minus its wager), however far an earlier settlement has come. Answers the players of the part:
-- what came back to each whose calls were settled for the first time, and by how much each other one is corrected; nobody
-- where all are paid, or another settlement has taken its place.
-- Every row is looked up by an index, so that a part of a million calls takes as long as any other.
CREATE FUNCTION pay_settlement_part(p_settlement bigint, p_calls_max bigint)
RETURNS TABLE (user_id bigint, refunded_cents bigint, corrected_cents bigint) LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off
SET jit = off AS $$
#variable_conflict use_column
DECLARE
  s settlements;
  head journal;
  again boolean;      -- the calls of this part were paid by an earlier settlement
  last boolean;
  at timestamptz := game_now();
  n int;
  players bigint[];   -- ascending, each once
  wallets bigint[];   -- theirs, their receivables, and clearing
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
  PERFORM event_gate(event_id) FROM settlements WHERE id = p_settlement;
  SELECT * INTO s FROM settlements WHERE id = p_settlement FOR NO KEY UPDATE;
  IF s.id IS NULL OR s.superseded OR s.paid_at IS NOT NULL THEN
    RETURN;
  END IF;
  s.paid_from_user_id := coalesce(s.paid_from_user_id, 9223372036854775807);

  -- Who is paid by now was paid from above, too: all in one part were paid before, or nobody was.
  SELECT c.state = 'resolved' INTO again FROM calls c
    WHERE c.event_id = s.event_id AND c.round = s.round AND c.state IN ('closed', 'resolved')
      AND c.user_id < s.paid_from_user_id
    ORDER BY c.event_id DESC, c.user_id DESC LIMIT 1;
  SELECT count(*), array_agg(DISTINCT q.user_id ORDER BY q.user_id) INTO n, players FROM (
    SELECT c.user_id FROM calls c
    WHERE c.event_id = s.event_id AND c.round = s.round AND c.state IN ('closed', 'resolved')
      AND c.user_id < s.paid_from_user_id AND (c.state = 'resolved') = again
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
        AND c.user_id >= players[1] AND c.user_id < s.paid_from_user_id AND (c.state = 'resolved') = again
      ORDER BY c.event_id DESC, c.user_id DESC
    ) q;
  IF last AND s.paid_calls_count + n <> s.calls_count THEN
    RAISE EXCEPTION 'settlement % has % calls, not %', s.id, s.paid_calls_count + n, s.calls_count
      USING ERRCODE = '23514';
  END IF;

  wallets := ARRAY(
    SELECT a.id FROM unnest(players) AS p(id) JOIN accounts a ON a.user_id = p.id
    UNION ALL SELECT a.id FROM accounts a WHERE net <> 0 AND a.user_id IS NULL AND a.kind = 'clearing'
  );
  PERFORM 1 FROM accounts WHERE id = ANY (wallets) ORDER BY id FOR NO KEY UPDATE;
  SELECT * INTO head FROM journal WHERE id = s.journal_id;
  IF head.tx = pg_current_xact_id() AND again IS NOT DISTINCT FROM (head.kind = 'resettle') THEN
    v_journal := head.id;
  ELSIF n > 0 THEN
    INSERT INTO journal (kind, idempotency_key, request_hash, event_id, round, part_of_id, actor_id, reason)
      VALUES (CASE WHEN again THEN 'resettle' ELSE 'settle' END, head.idempotency_key || '-u' || players[1],
        head.request_hash, head.event_id, head.round, head.id, head.actor_id, head.reason)
      RETURNING id INTO v_journal;
  END IF;
  -- This releases the hold of every call that had one (trigger) ...
  UPDATE calls c SET state = 'resolved', payout_cents = p.payout, outcome = p.outcome, updated_at = at
    FROM unnest(v_call, v_payout, v_outcome) AS p(id, payout, outcome) WHERE c.id = p.id;
  -- ... and this books the rest. A player who has spent meanwhile what is taken back is lent the difference from the
  -- receivable before; a gain repays it after. held_after_cents of all of them is what remains held once the part is paid.
  WITH nets AS MATERIALIZED (
    SELECT * FROM unnest(v_call, v_account, v_user, v_amount) AS q(call_id, account_id, user_id, amount)
  ), total AS MATERIALIZED (
    SELECT q.account_id, q.user_id, sum(q.amount)::bigint AS amount FROM nets q GROUP BY 1, 2 HAVING sum(q.amount) <> 0
  ), repaid AS MATERIALIZED (
    SELECT a.id AS wallet, r.id AS receivable,
      CASE WHEN t.amount > 0 THEN least(-r.posted_cents, a.posted_cents - a.held_cents + t.amount)
        ELSE -greatest(0, -(a.posted_cents - a.held_cents + t.amount)) END AS amount
    FROM total t JOIN accounts a ON a.id = t.account_id
      JOIN accounts r ON r.user_id = t.user_id AND r.kind = 'receivable'
  ), posting AS (
    SELECT q.account_id AS account, q.amount, q.call_id, 1 AS step FROM nets q WHERE q.amount <> 0
    UNION ALL
    SELECT wallet, -amount, NULL, CASE WHEN amount < 0 THEN 0 ELSE 2 END FROM repaid WHERE amount <> 0
    UNION ALL
    SELECT receivable, amount, NULL, 2 FROM repaid WHERE amount <> 0
    UNION ALL
    SELECT a.id, -net, NULL, 3 FROM accounts a WHERE net <> 0 AND a.user_id IS NULL AND a.kind = 'clearing'
  )
  INSERT INTO entries (journal_id, account_id, call_id, amount_cents, balance_after_cents, held_after_cents,
    account_version, created_at)
  SELECT v_journal, p.account, p.call_id, p.amount, a.posted_cents + sum(p.amount) OVER so_far, a.held_cents,
    a.version + row_number() OVER so_far, at
  FROM posting p JOIN accounts a ON a.id = p.account
  WINDOW so_far AS (PARTITION BY p.account ORDER BY p.step, p.call_id);

  UPDATE settlements SET paid_calls_count = paid_calls_count + n, paid_from_user_id = coalesce(players[1], 0),
      paid_at = CASE WHEN last THEN at END
    WHERE id = s.id;
  INSERT INTO outbox (kind, payload) VALUES ('event_settled',
    jsonb_build_object('eventId', s.event_id, 'settlementId', s.id, 'round', s.round)
      || CASE WHEN n = s.calls_count THEN '{}'
        ELSE jsonb_build_object('fromUserId', players[1], 'toUserId', players[cardinality(players)]) END);
  RETURN QUERY
    SELECT q.user_id, coalesce(sum(q.payout) FILTER (WHERE NOT again AND q.outcome = 'refunded'), 0)::bigint,
      coalesce(sum(q.amount) FILTER (WHERE again), 0)::bigint
    FROM unnest(v_user, v_payout, v_outcome, v_amount) AS q(user_id, payout, outcome, amount)
    GROUP BY 1 ORDER BY 1;
END $$;
--> statement-breakpoint

-- ===== What else knows that an event may have a result before everybody is paid =====

CREATE OR REPLACE FUNCTION guard_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  resets boolean := NEW.state = 'draft' AND OLD.state <> 'draft';
BEGIN
  IF NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
    ('draft', 'visible'), ('visible', 'open'), ('open', 'closed'), ('closed', 'resolved'),
    ('visible', 'draft'), ('open', 'draft'), ('closed', 'draft'), ('resolved', 'draft'), ('hidden', 'draft'), -- reset
    ('visible', 'hidden'), ('resolved', 'hidden'), ('open', 'hidden'), ('closed', 'hidden'),            -- hide and skip
    ('hidden', 'visible'), ('hidden', 'resolved'),                                                            -- show
    ('draft', 'soft_destroyed'), ('visible', 'soft_destroyed'), ('hidden', 'soft_destroyed')
  ) THEN
    RAISE EXCEPTION 'illegal change of event %: % -> %', OLD.id, OLD.state, NEW.state USING ERRCODE = '23514';
  END IF;
  -- A new round is a reset and a reset is a new round.
  IF NEW.round <> OLD.round + resets::int THEN
    RAISE EXCEPTION 'illegal round of event %: % -> %', OLD.id, OLD.round, NEW.round USING ERRCODE = '23514';
  END IF;
  -- A result comes with resolving, changes by resolving again, and goes only with a reset.
  IF NEW.result IS DISTINCT FROM OLD.result AND NOT (
    (OLD.state = 'closed' AND NEW.state = 'resolved')
    OR (OLD.state = 'resolved' AND NEW.state = 'resolved' AND NEW.result IS NOT NULL)
    OR (resets AND NEW.result IS NULL)
  ) THEN
    RAISE EXCEPTION 'illegal result of event %: % -> %', OLD.id, OLD.result, NEW.result USING ERRCODE = '23514';
  END IF;
  -- Nobody's wager stays behind in an event that has left the show, nor money in a round that is over. Where it has a
  -- result, all are being paid.
  IF NEW.state <> OLD.state AND NEW.state IN ('draft', 'hidden', 'soft_destroyed')
    AND NOT (NEW.state = 'hidden' AND NEW.result IS NOT NULL)
    AND EXISTS (SELECT 1 FROM calls WHERE event_id = OLD.id AND state IN ('placed', 'closed'))
  THEN
    RAISE EXCEPTION 'event % has active calls', OLD.id USING ERRCODE = '23514';
  END IF;
  IF resets AND EXISTS (
    SELECT 1 FROM settlements WHERE event_id = OLD.id AND round = OLD.round AND NOT superseded
      AND (result <> 'void' OR paid_at IS NULL)
  ) THEN
    RAISE EXCEPTION 'event % has a settlement that is not reversed', OLD.id USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
-- Counts what is wrong; every row must be 0, at every moment, also between two parts of a settlement.
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
    SELECT account_id, sum(wager_cents) AS wager FROM calls WHERE state IN ('placed', 'closed') GROUP BY 1
  ) c ON c.account_id = a.id
  WHERE a.held_cents <> coalesce(c.wager, 0)
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
