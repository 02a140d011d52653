-- The ledger: what the database itself guarantees about money, states and time. Everything here holds against the
-- owner of the tables too, so that no role, no script and no bug of ours can make money or lose it.
--
-- * Money is whole cents. A call's row IS the hold: accounts.held_cents follows the active calls (placed, closed).
-- * One journal row is one business operation and one idempotency key. Its entries sum to zero and can be added only
--   in its own transaction; accounts.posted_cents follows them. Nobody sets a balance directly.
-- * A settlement's lines keep what every call was paid; a correction is a new journal that supersedes the older one.
-- * READ COMMITTED only: every statement after a lock must see what the lock waited for.
--
-- LOCK ORDER, everywhere: session row -> event gates (advisory, ascending event id) -> event row -> accounts
-- (ascending id) -> spots (ascending id) -> calls. A verb that moves the money of several events in one transaction
-- takes all their gates and then all their wallets (lock_wallets) before the first change. Parent rows are locked FOR
-- NO KEY UPDATE, never FOR UPDATE: foreign keys take KEY SHARE on them, outside this order.
-- A spot is counted only under its event's gate (placing and cancelling share it, closing and settling own it).
--
-- Refusals are raised with these SQLSTATEs (db/ledger/refusal.ts knows them): LK000 misuse by our own code,
-- LK002 idempotency key reused, LK003 wrong state, LK005 amount, LK006 reason is required, LK009 stale lock,
-- LK404 not found. What only a bug can do is a check_violation (23514).

-- The house's own accounts: house (adjustments), external (the world of payments), promo (play money).
INSERT INTO accounts (kind) VALUES ('house'), ('external'), ('promo');
-- Rows that change all the time get room on their page, so that an update touches no index.
ALTER TABLE accounts SET (fillfactor = 70);
ALTER TABLE spots SET (fillfactor = 50);
ALTER TABLE events SET (fillfactor = 80);
-- Checked at the end of each statement: one UPDATE renumbers a whole blueprint. Several statements first say
-- SET CONSTRAINTS blueprint_events_position DEFERRED.
ALTER TABLE blueprint_events ADD CONSTRAINT blueprint_events_position
  UNIQUE (blueprint_id, position) DEFERRABLE INITIALLY IMMEDIATE;
--> statement-breakpoint

-- ===== Raising =====

CREATE FUNCTION refuse(p_code text, p_text text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', p_text USING ERRCODE = p_code;
END $$;
CREATE FUNCTION deny_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = '23514';
END $$;
CREATE FUNCTION deny_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a row of % cannot start like this: %', TG_TABLE_NAME, NEW USING ERRCODE = '23514';
END $$;
CREATE FUNCTION deny_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'illegal change of %: % -> %', TG_TABLE_NAME, OLD, NEW USING ERRCODE = '23514';
END $$;
-- A snapshot older than the gate would not see the calls that the gate waited for.
CREATE FUNCTION require_read_committed() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'the ledger works at read committed only' USING ERRCODE = 'LK000';
  END IF;
END $$;
--> statement-breakpoint

-- ===== Append-only =====

CREATE TRIGGER journal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();
CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();
CREATE TRIGGER lines_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement_lines
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();
CREATE TRIGGER settlements_no_delete BEFORE DELETE OR TRUNCATE ON settlements
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();
CREATE TRIGGER calls_no_delete BEFORE DELETE OR TRUNCATE ON calls
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();
CREATE TRIGGER accounts_no_delete BEFORE DELETE OR TRUNCATE ON accounts
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();
--> statement-breakpoint

-- ===== Accounts, journal and entries =====

CREATE TRIGGER accounts_start BEFORE INSERT ON accounts FOR EACH ROW
  WHEN (NEW.posted_cents <> 0 OR NEW.held_cents <> 0 OR NEW.version <> 0 OR NEW.revision <> 0)
  EXECUTE FUNCTION deny_start();
-- Balances move only from inside the triggers below: a direct UPDATE is seen at trigger depth 0, and nothing that a
-- client could SET changes that. (Here and below, naming columns instead of comparing them in WHEN keeps the hot paths
-- fast: a WHEN clause is read anew by every statement.)
CREATE TRIGGER accounts_balances BEFORE UPDATE OF posted_cents, held_cents, version, revision ON accounts FOR EACH ROW
  WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION deny_transition();
CREATE TRIGGER accounts_owner_fixed BEFORE UPDATE OF id, kind, user_id ON accounts FOR EACH ROW
  EXECUTE FUNCTION deny_transition();
CREATE TRIGGER accounts_fence BEFORE UPDATE OF fence ON accounts FOR EACH ROW
  WHEN (NEW.fence < OLD.fence) EXECUTE FUNCTION deny_transition();

CREATE FUNCTION check_journal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT coalesce(sum(amount_cents), 0) FROM entries WHERE journal_id = NEW.id) <> 0 THEN
    RAISE EXCEPTION 'journal % does not balance', NEW.id USING ERRCODE = '23514';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER journal_balanced AFTER INSERT ON journal DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION check_journal();

-- posted_cents and version follow the entries. An entry joins only the transaction that made its journal: otherwise
-- the check above, which runs once at the journal's commit, could be evaded later.
CREATE FUNCTION apply_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM (SELECT DISTINCT journal_id FROM added) e JOIN journal j ON j.id = e.journal_id
    WHERE j.tx <> pg_current_xact_id()
  ) THEN
    RAISE EXCEPTION 'journal is sealed' USING ERRCODE = '23514';
  END IF;

  UPDATE accounts a
  SET posted_cents = posted_cents + s.amount, version = version + s.n, revision = revision + 1
  FROM (SELECT account_id, sum(amount_cents) AS amount, count(*) AS n FROM added GROUP BY 1) s
  WHERE a.id = s.account_id;

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
CREATE TRIGGER entries_apply AFTER INSERT ON entries REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION apply_entries();
--> statement-breakpoint

-- ===== Calls: the hold, the spots' counters, the legal changes =====

CREATE TRIGGER calls_start BEFORE INSERT ON calls FOR EACH ROW
  WHEN (NEW.state <> 'placed') EXECUTE FUNCTION deny_start();
CREATE TRIGGER calls_terms BEFORE UPDATE OF
  id, user_id, account_id, event_id, spot_id, round, wager_cents, idempotency_key, placed_at ON calls FOR EACH ROW
  EXECUTE FUNCTION deny_transition();
CREATE TRIGGER calls_destroyed BEFORE UPDATE ON calls FOR EACH ROW
  WHEN (OLD.state = 'soft_destroyed') EXECUTE FUNCTION deny_transition();
CREATE TRIGGER calls_transition BEFORE UPDATE OF state ON calls FOR EACH ROW
  WHEN (OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN
    (('placed', 'closed'), ('closed', 'resolved'), ('placed', 'soft_destroyed'), ('closed', 'soft_destroyed')))
  EXECUTE FUNCTION deny_transition();

-- A new call holds its wager and joins its spot's pool. Spots are locked in ascending order, after the wallets, so that
-- two batches cannot wait for each other; a single spot needs no order.
CREATE FUNCTION count_new_calls() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts a
  SET held_cents = held_cents + s.wager, revision = revision + 1
  FROM (SELECT account_id, sum(wager_cents) AS wager FROM added GROUP BY 1) s
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

-- A call that leaves placed and closed gives its hold back; a destroyed one also leaves its spot's pool (it is of the
-- event's round: a new round begins only when no call is active). The older rows are added with a minus instead of
-- being joined: a join of the two transition tables is planned without statistics and turns quadratic.
CREATE FUNCTION count_changed_calls() RETURNS trigger LANGUAGE plpgsql AS $$
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
  IF EXISTS (SELECT 1 FROM after WHERE state = 'resolved') THEN
    IF EXISTS (
      SELECT 1 FROM after c
      WHERE c.state = 'resolved' AND NOT EXISTS (
        SELECT 1 FROM settlements s JOIN settlement_lines l ON l.settlement_id = s.id
        WHERE s.event_id = c.event_id AND s.round = c.round AND NOT s.superseded
          AND l.call_id = c.id AND l.payout_cents = c.payout_cents AND l.outcome = c.outcome
      )
    ) THEN
      RAISE EXCEPTION 'payout is not what the live settlement paid' USING ERRCODE = '23514';
    END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER calls_count_changed AFTER UPDATE ON calls REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_changed_calls();
--> statement-breakpoint

-- ===== Settlements =====

CREATE TRIGGER settlements_start BEFORE INSERT ON settlements FOR EACH ROW
  WHEN (NEW.superseded) EXECUTE FUNCTION deny_start();
-- The only change: it is superseded, once.
CREATE TRIGGER settlements_terms BEFORE UPDATE OF
  id, event_id, round, version, result, effective_at, journal_id, pool_cents, winning_pool_cents, refunded_cents,
  created_at ON settlements FOR EACH ROW EXECUTE FUNCTION deny_transition();
CREATE TRIGGER settlements_superseded BEFORE UPDATE OF superseded ON settlements FOR EACH ROW
  WHEN (OLD.superseded AND NOT NEW.superseded) EXECUTE FUNCTION deny_transition();

-- Lines join only the transaction of their settlement, like entries their journal's.
CREATE FUNCTION check_lines_sealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM (SELECT DISTINCT settlement_id FROM added) l
      JOIN settlements s ON s.id = l.settlement_id JOIN journal j ON j.id = s.journal_id
    WHERE j.tx <> pg_current_xact_id()
  ) THEN
    RAISE EXCEPTION 'settlement is sealed' USING ERRCODE = '23514';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER lines_sealed AFTER INSERT ON settlement_lines REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION check_lines_sealed();

-- What came in goes out, to the cent.
CREATE FUNCTION check_settlement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.pool_cents + NEW.refunded_cents
    <> (SELECT coalesce(sum(payout_cents), 0) FROM settlement_lines WHERE settlement_id = NEW.id)
  THEN
    RAISE EXCEPTION 'settlement % does not conserve the pool', NEW.id USING ERRCODE = '23514';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER settlements_conserve AFTER INSERT ON settlements DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION check_settlement();
--> statement-breakpoint

-- ===== Events, spots and sessions: legal states =====

CREATE TRIGGER events_start BEFORE INSERT ON events FOR EACH ROW
  WHEN (NEW.state <> 'draft' OR NEW.round <> 1 OR NEW.result IS NOT NULL) EXECUTE FUNCTION deny_start();

CREATE FUNCTION guard_event() RETURNS trigger LANGUAGE plpgsql AS $$
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
  -- Nobody's wager stays behind in an event that has left the show, nor money in a round that is over.
  IF NEW.state <> OLD.state AND NEW.state IN ('draft', 'hidden', 'soft_destroyed') AND EXISTS (
    SELECT 1 FROM calls WHERE event_id = OLD.id AND state IN ('placed', 'closed')
  ) THEN
    RAISE EXCEPTION 'event % has active calls', OLD.id USING ERRCODE = '23514';
  END IF;
  IF resets AND EXISTS (
    SELECT 1 FROM settlements WHERE event_id = OLD.id AND round = OLD.round AND NOT superseded AND result <> 'void'
  ) THEN
    RAISE EXCEPTION 'event % has a settlement that is not reversed', OLD.id USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER events_guard BEFORE UPDATE OF state, round, result ON events FOR EACH ROW
  WHEN ((NEW.state, NEW.round, NEW.result) IS DISTINCT FROM (OLD.state, OLD.round, OLD.result))
  EXECUTE FUNCTION guard_event();
-- Limits stand still while they judge calls; an event changes its session only as a draft; fences only grow.
CREATE TRIGGER events_terms BEFORE UPDATE ON events FOR EACH ROW
  WHEN (
    NEW.id <> OLD.id OR NEW.fence < OLD.fence
    OR (NEW.session_id IS DISTINCT FROM OLD.session_id AND OLD.state <> 'draft')
    OR (OLD.state IN ('open', 'closed', 'resolved') AND (NEW.min_wager_cents, NEW.max_wager_cents)
      IS DISTINCT FROM (OLD.min_wager_cents, OLD.max_wager_cents))
  ) EXECUTE FUNCTION deny_transition();

-- The counters of a spot are of its event's round.
CREATE FUNCTION begin_round() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE spots SET calls_count = 0, pool_cents = 0 WHERE event_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER events_round_began AFTER UPDATE ON events FOR EACH ROW
  WHEN (NEW.round <> OLD.round) EXECUTE FUNCTION begin_round();

-- At commit: no call is still placed once the event has left open, and the result is the one that was paid. A verb may
-- therefore move the event and its money in either order, but never only one of the two.
CREATE FUNCTION check_event_settled() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_event bigint;
  e events;
BEGIN
  IF TG_TABLE_NAME = 'events' THEN
    v_event := NEW.id;
  ELSE
    v_event := NEW.event_id;
  END IF;
  SELECT * INTO e FROM events WHERE id = v_event;
  IF e.result IS DISTINCT FROM
    (SELECT result FROM settlements WHERE event_id = e.id AND round = e.round AND NOT superseded)
  THEN
    RAISE EXCEPTION 'event % has result % but was not settled so', e.id, coalesce(e.result, 'none')
      USING ERRCODE = '23514';
  END IF;
  IF e.state <> 'open' AND EXISTS (SELECT 1 FROM calls WHERE event_id = e.id AND state = 'placed') THEN
    RAISE EXCEPTION 'event % is % but has placed calls', e.id, e.state USING ERRCODE = '23514';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER events_settled AFTER UPDATE ON events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((NEW.state, NEW.round, NEW.result) IS DISTINCT FROM (OLD.state, OLD.round, OLD.result))
  EXECUTE FUNCTION check_event_settled();
CREATE CONSTRAINT TRIGGER settlements_of_event AFTER INSERT ON settlements DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  EXECUTE FUNCTION check_event_settled();
--> statement-breakpoint

CREATE TRIGGER spots_start BEFORE INSERT ON spots FOR EACH ROW
  WHEN (NEW.state <> 'closed' OR NEW.won IS NOT NULL OR NEW.calls_count <> 0 OR NEW.pool_cents <> 0)
  EXECUTE FUNCTION deny_start();
-- open_spot, close and hide; resolve_spot says on a closed spot who won. The counters move by triggers alone.
CREATE TRIGGER spots_counters BEFORE UPDATE OF calls_count, pool_cents ON spots FOR EACH ROW
  WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION deny_transition();
CREATE TRIGGER spots_terms BEFORE UPDATE OF id, event_id, side ON spots FOR EACH ROW
  EXECUTE FUNCTION deny_transition();
CREATE TRIGGER spots_transition BEFORE UPDATE OF state, won ON spots FOR EACH ROW
  WHEN (
    (NEW.state <> OLD.state AND OLD.state = 'soft_destroyed')
    OR (NEW.won IS DISTINCT FROM OLD.won AND NEW.state <> 'closed')
    OR (NEW.state = 'open' AND NEW.won IS NOT NULL)
  ) EXECUTE FUNCTION deny_transition();
CREATE FUNCTION guard_hidden_spot() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM calls WHERE event_id = OLD.event_id AND spot_id = OLD.id AND state IN ('placed', 'closed'))
  THEN
    RAISE EXCEPTION 'spot % has active calls', OLD.id USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER spots_hide BEFORE UPDATE OF state ON spots FOR EACH ROW
  WHEN (NEW.state = 'soft_destroyed' AND OLD.state <> 'soft_destroyed') EXECUTE FUNCTION guard_hidden_spot();

CREATE TRIGGER sessions_start BEFORE INSERT ON sessions FOR EACH ROW
  WHEN (NEW.state <> 'pending') EXECUTE FUNCTION deny_start();
CREATE TRIGGER sessions_guard BEFORE UPDATE ON sessions FOR EACH ROW
  WHEN (
    NEW.id <> OLD.id OR NEW.fence < OLD.fence
    OR (NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
      ('pending', 'running'), ('running', 'paused'), ('paused', 'running'), ('running', 'stopped'),
      ('paused', 'stopped')))
  ) EXECUTE FUNCTION deny_transition();
--> statement-breakpoint

-- ===== Gates and fences =====

-- Who closes, settles, resets or pauses an event owns its gate; placers and cancellers share it. Both are held until
-- the transaction ends and may be taken again within it.
CREATE FUNCTION event_gate(p_event bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(7701, p_event::int)
$$;
CREATE FUNCTION event_gate_shared(p_event bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock_shared(7701, p_event::int)
$$;

-- Remembers the newest lock token that wrote to an event, a session or a user's wallet; an older one is refused.
CREATE FUNCTION check_fence(p_kind text, p_id bigint, p_token bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  CASE p_kind
    WHEN 'event' THEN UPDATE events SET fence = p_token WHERE id = p_id AND fence <= p_token;
    WHEN 'session' THEN UPDATE sessions SET fence = p_token WHERE id = p_id AND fence <= p_token;
    WHEN 'wallet' THEN
      UPDATE accounts SET fence = p_token WHERE user_id = p_id AND kind = 'wallet' AND fence <= p_token;
    ELSE PERFORM refuse('LK000', 'unknown kind of fence');
  END CASE;
  IF NOT FOUND THEN
    PERFORM refuse('LK009', 'stale lock');
  END IF;
END $$;

-- The wallets and receivables that settling or refunding these events can touch, in the order of locks. For a verb
-- that handles several events in one transaction, after all their gates.
CREATE FUNCTION lock_wallets(p_events bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM accounts
  WHERE user_id IN (
    SELECT user_id FROM calls WHERE event_id = ANY (p_events) AND state IN ('placed', 'closed', 'resolved')
  )
  ORDER BY id FOR NO KEY UPDATE;
END $$;
--> statement-breakpoint

-- ===== Wallets =====

-- A wallet and its receivable, once. Answers the wallet's account.
CREATE FUNCTION open_wallet(p_user bigint) RETURNS bigint LANGUAGE sql AS $$
  INSERT INTO accounts (kind, user_id) VALUES ('wallet', p_user), ('receivable', p_user) ON CONFLICT DO NOTHING;
  SELECT id FROM accounts WHERE user_id = p_user AND kind = 'wallet'
$$;

-- Writes entries in the order given, skipping zeros. The accounts must already be locked by the caller.
CREATE FUNCTION post_entries(p_journal bigint, p_accounts bigint[], p_amounts bigint[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO entries (journal_id, account_id, amount_cents, balance_after_cents, held_after_cents, account_version)
  SELECT p_journal, x.account, x.amount, a.posted_cents + sum(x.amount) OVER so_far, a.held_cents,
    a.version + row_number() OVER so_far
  FROM unnest(p_accounts, p_amounts) WITH ORDINALITY AS x(account, amount, ord)
    JOIN accounts a ON a.id = x.account
  WHERE x.amount <> 0
  WINDOW so_far AS (PARTITION BY x.account ORDER BY x.ord)
$$;

-- One signed amount for one wallet against a system account. A credit repays the receivable from what is then
-- available; the part of a debit that is not covered goes to the receivable. The same key and request answer the
-- first journal again; the same key with another request is refused.
CREATE FUNCTION book(
  p_kind text, p_key text, p_user bigint, p_amount bigint, p_counter text, p_actor bigint, p_reason text
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  request text := format('%s:%s:%s', p_kind, p_user, p_amount);
  j journal;
  wallet accounts;
  receivable accounts;
  counter accounts;
  available bigint;
  repaid bigint; -- above 0: the receivable is repaid; below 0: the player owes more
BEGIN
  PERFORM require_read_committed();
  IF p_amount IS NULL OR p_amount = 0 THEN
    PERFORM refuse('LK005', 'amount must not be zero');
  END IF;
  INSERT INTO journal (kind, idempotency_key, request_hash, actor_id, reason)
    VALUES (p_kind, p_key, request, p_actor, p_reason)
    ON CONFLICT (idempotency_key) DO NOTHING RETURNING * INTO j;
  IF j.id IS NULL THEN
    SELECT * INTO j FROM journal WHERE idempotency_key = p_key;
    IF j.request_hash <> request THEN
      PERFORM refuse('LK002', 'idempotency key reused');
    END IF;
    RETURN j.id;
  END IF;

  PERFORM 1 FROM accounts WHERE user_id = p_user OR (user_id IS NULL AND kind = p_counter)
    ORDER BY id FOR NO KEY UPDATE;
  SELECT * INTO wallet FROM accounts WHERE user_id = p_user AND kind = 'wallet';
  IF NOT FOUND THEN
    PERFORM refuse('LK404', 'not found');
  END IF;
  SELECT * INTO receivable FROM accounts WHERE user_id = p_user AND kind = 'receivable';
  SELECT * INTO STRICT counter FROM accounts WHERE user_id IS NULL AND kind = p_counter;

  available := wallet.posted_cents - wallet.held_cents + p_amount;
  repaid := CASE WHEN p_amount > 0 THEN least(-receivable.posted_cents, available)
    ELSE -greatest(0, -available) END;
  -- An uncovered debit is lent first, so that no running balance on the way is below what is held.
  IF repaid < 0 THEN
    PERFORM post_entries(j.id, ARRAY[wallet.id, receivable.id, wallet.id, counter.id],
      ARRAY[-repaid, repaid, p_amount, -p_amount]);
  ELSE
    PERFORM post_entries(j.id, ARRAY[wallet.id, counter.id, wallet.id, receivable.id],
      ARRAY[p_amount, -p_amount, -repaid, repaid]);
  END IF;
  INSERT INTO outbox (kind, payload) VALUES ('wallet_changed', jsonb_build_object('userId', p_user));
  RETURN j.id;
END $$;

CREATE FUNCTION grant_play_money(p_user bigint, p_amount bigint, p_key text, p_actor bigint, p_reason text)
RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF p_amount IS NULL OR p_amount <= 0 THEN
    PERFORM refuse('LK005', 'must be greater than 0');
  END IF;
  RETURN book('grant', 'grant-' || p_key, p_user, p_amount, 'promo', p_actor, p_reason);
END $$;

CREATE FUNCTION adjust(p_user bigint, p_amount bigint, p_key text, p_actor bigint, p_reason text)
RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(length(p_reason), 0) = 0 THEN
    PERFORM refuse('LK006', 'reason is required');
  END IF;
  RETURN book('adjust', 'adjust-' || p_key, p_user, p_amount, 'house', p_actor, p_reason);
END $$;
--> statement-breakpoint

-- ===== Closing, refunding, settling =====
-- They move calls and money only. The event's and the spots' own states are moved by the verb that calls them, in the
-- same transaction, before or after.

-- placed -> closed; answers how many. What is held does not change: no wallet is locked.
CREATE FUNCTION close_calls(p_event bigint) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  v_state text;
  closed int;
BEGIN
  PERFORM require_read_committed();
  PERFORM event_gate(p_event);
  SELECT state INTO v_state FROM events WHERE id = p_event FOR NO KEY UPDATE;
  IF v_state IS NULL THEN
    PERFORM refuse('LK404', 'not found');
  ELSIF v_state NOT IN ('open', 'closed') THEN
    PERFORM refuse('LK003', 'cannot close calls when ' || v_state);
  END IF;
  UPDATE calls SET state = 'closed', updated_at = game_now() WHERE event_id = p_event AND state = 'placed';
  GET DIAGNOSTICS closed = ROW_COUNT;
  RETURN closed;
END $$;

-- Destroys every active call of the event, which gives its hold back (reset, skip, stop). Answers them.
CREATE FUNCTION refund_active(p_event bigint) RETURNS TABLE (call_id bigint, user_id bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  PERFORM require_read_committed();
  PERFORM event_gate(p_event);
  PERFORM 1 FROM events WHERE id = p_event FOR NO KEY UPDATE;
  PERFORM 1 FROM accounts
    WHERE id IN (SELECT account_id FROM calls WHERE event_id = p_event AND state IN ('placed', 'closed'))
    ORDER BY id FOR NO KEY UPDATE;
  RETURN QUERY UPDATE calls SET state = 'soft_destroyed', updated_at = game_now()
    WHERE event_id = p_event AND state IN ('placed', 'closed') RETURNING id, user_id;
END $$;

-- Pool payout by largest remainder, exact to the cent. Refunded: a void result, no winner, no loser, and what was
-- placed at or after effective_at. Left-over cents go one each to the largest remainders, then to the lowest call.
CREATE FUNCTION payouts(p_event bigint, p_round int, p_result text, p_effective_at timestamptz)
RETURNS TABLE (call_id bigint, payout_cents bigint, outcome text) LANGUAGE sql STABLE AS $$
  WITH c AS MATERIALIZED (
    SELECT c.id, c.wager_cents AS wager, s.side = p_result AS won,
      p_result <> 'void' AND (p_effective_at IS NULL OR c.placed_at < p_effective_at) AS counts
    FROM calls c JOIN spots s ON s.id = c.spot_id
    WHERE c.event_id = p_event AND c.round = p_round AND c.state IN ('closed', 'resolved')
  ), total AS MATERIALIZED (
    SELECT coalesce(sum(wager), 0)::numeric AS pool, coalesce(sum(wager) FILTER (WHERE won), 0)::numeric AS winning
    FROM c WHERE counts
  ), share AS MATERIALIZED (
    SELECT c.id, t.pool, div(t.pool * c.wager, t.winning) AS base, mod(t.pool * c.wager, t.winning) AS remainder
    FROM c, total t WHERE c.counts AND c.won AND t.winning < t.pool
  ), ranked AS (
    SELECT id, base, row_number() OVER (ORDER BY remainder DESC, id) AS k, pool - sum(base) OVER () AS left_over
    FROM share
  )
  SELECT id, (base + (k <= left_over)::int)::bigint, 'won' FROM ranked
  UNION ALL
  SELECT c.id, 0, 'lost' FROM c, total t WHERE c.counts AND NOT c.won AND t.winning > 0
  UNION ALL
  SELECT c.id, c.wager, 'refunded' FROM c, total t WHERE NOT c.counts OR t.winning = 0 OR t.winning = t.pool
$$;

-- Settles the closed calls of the event's round, or corrects an earlier settlement of it, in which case a reason is
-- required. Asked for what is already so, it answers the live settlement and changes nothing. A reset first settles
-- again as void, then begins its round. Answers the settlement.
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

  PERFORM 1 FROM accounts
    WHERE user_id IN (
      SELECT user_id FROM calls WHERE event_id = p_event AND round = e.round AND state IN ('closed', 'resolved')
    )
    ORDER BY id FOR NO KEY UPDATE;
  v_version := coalesce(previous.version, 0) + 1;
  INSERT INTO journal (kind, idempotency_key, request_hash, event_id, round, supersedes_id, actor_id, reason)
    VALUES (CASE WHEN v_version = 1 THEN 'settle' ELSE 'resettle' END,
      format('settle-%s-r%s-v%s', p_event, e.round, v_version), p_result, p_event, e.round, previous.journal_id,
      p_actor, p_reason)
    RETURNING id INTO v_journal;
  UPDATE settlements SET superseded = true WHERE id = previous.id;
  INSERT INTO settlements (event_id, round, version, result, effective_at, journal_id, pool_cents,
      winning_pool_cents, refunded_cents)
    SELECT p_event, e.round, v_version, p_result, p_effective_at, v_journal,
      coalesce(sum(q.wager) FILTER (WHERE q.counts), 0),
      coalesce(sum(q.wager) FILTER (WHERE q.counts AND q.won), 0),
      coalesce(sum(q.wager) FILTER (WHERE NOT q.counts), 0)
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

  -- This releases the hold of every call that had one (trigger) ...
  UPDATE calls c SET state = 'resolved', payout_cents = l.payout_cents, outcome = l.outcome, updated_at = game_now()
    FROM settlement_lines l WHERE l.settlement_id = v_settlement AND l.call_id = c.id;
  PERFORM post_settlement(v_journal, v_settlement, previous.id);
  INSERT INTO outbox (kind, payload) VALUES ('event_settled',
    jsonb_build_object('eventId', p_event, 'settlementId', v_settlement, 'round', e.round));
  RETURN v_settlement;
END $$;

-- ... and this books the net, which is what is paid now minus what the previous settlement (or the wager) gave. A
-- player who has spent meanwhile what is taken back is lent the difference from the receivable before; a gain
-- repays it after. held_after_cents of all of them is what remains held once the whole settlement is done.
CREATE FUNCTION post_settlement(p_journal bigint, p_settlement bigint, p_previous bigint) RETURNS void
LANGUAGE sql AS $$
  WITH net AS MATERIALIZED (
    SELECT c.id AS call_id, c.account_id, c.user_id,
      l.payout_cents - coalesce(before.payout_cents, c.wager_cents) AS amount
    FROM settlement_lines l JOIN calls c ON c.id = l.call_id
      LEFT JOIN settlement_lines before ON before.settlement_id = p_previous AND before.call_id = l.call_id
    WHERE l.settlement_id = p_settlement
  ), total AS MATERIALIZED (
    SELECT account_id, user_id, sum(amount)::bigint AS amount FROM net GROUP BY 1, 2 HAVING sum(amount) <> 0
  ), repaid AS MATERIALIZED (
    SELECT a.id AS wallet, r.id AS receivable,
      CASE WHEN t.amount > 0 THEN least(-r.posted_cents, a.posted_cents - a.held_cents + t.amount)
        ELSE -greatest(0, -(a.posted_cents - a.held_cents + t.amount)) END AS amount
    FROM total t JOIN accounts a ON a.id = t.account_id
      JOIN accounts r ON r.user_id = t.user_id AND r.kind = 'receivable'
  ), posting AS (
    SELECT account_id AS account, amount, call_id, 1 AS step FROM net WHERE amount <> 0
    UNION ALL
    SELECT wallet, -amount, NULL, CASE WHEN amount < 0 THEN 0 ELSE 2 END FROM repaid WHERE amount <> 0
    UNION ALL
    SELECT receivable, amount, NULL, 2 FROM repaid WHERE amount <> 0
  )
  INSERT INTO entries (journal_id, account_id, call_id, amount_cents, balance_after_cents, held_after_cents,
    account_version)
  SELECT p_journal, p.account, p.call_id, p.amount, a.posted_cents + sum(p.amount) OVER so_far, a.held_cents,
    a.version + row_number() OVER so_far
  FROM posting p JOIN accounts a ON a.id = p.account
  WINDOW so_far AS (PARTITION BY p.account ORDER BY p.step, p.call_id)
$$;
--> statement-breakpoint

-- ===== Placing and taking back =====

-- Judges and places a batch of calls: one row per input, in input order, several calls of one player as if they had
-- come one after the other. The code is the first of these that applies:
--   replayed, key_reused   the player has used this idempotency key, for the same call or for another one
--   not_found              no such spot, nobody may see its event, or the player has no wallet
--   stale_lock             a newer lock has written to this wallet
--   paused, wrong_state    the session or the event takes no calls (late_ms: how long after the close, if closed)
--   late                   the clock, read while the event's gate is held, is at or past closes_at; late_ms says by how much
--   below_min, over_max    the event's limits; over_max counts the player's active calls on the event
--   insufficient           available balance
--   placed
-- A player's first call in a session also registers there. One outbox row tells of the whole batch.
--
-- The plan is generic: with array parameters Postgres would plan anew at every call, half of the time of a lone call.
-- It may be made while the tables are empty, therefore no sequential scans, and LATERAL ... LIMIT 1 for every lookup:
-- a plain join is planned as a scan of the whole index of calls.
CREATE FUNCTION place_calls(
  p_users bigint[], p_spots bigint[], p_wagers bigint[], p_keys text[], p_fences bigint[] DEFAULT NULL
) RETURNS TABLE (ord int, code text, call_id bigint, late_ms float8) LANGUAGE plpgsql ROWS 64
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
  n int := cardinality(p_users);
  at timestamptz;
  gated bigint[];
  -- One element per call, in input order.
  v_base text[];      -- the code before limits and balance are counted, NULL: none yet
  v_code text[];
  v_call bigint[];
  v_account bigint[];
  v_event bigint[];
  v_session bigint[]; -- where the player is new to the session
  v_round int[];
  v_late float8[];
  v_available bigint[];
  v_room bigint[];    -- what maxWager leaves the player on this event, NULL: no limit
  again int[];        -- the calls to be judged one by one
  k int;
  earlier int;
  spent bigint;
  spent_on_event bigint;
BEGIN
  PERFORM require_read_committed();
  IF n IS DISTINCT FROM cardinality(p_spots) OR n IS DISTINCT FROM cardinality(p_wagers)
    OR n IS DISTINCT FROM cardinality(p_keys) OR n <> coalesce(cardinality(p_fences), n)
  THEN
    PERFORM refuse('LK000', 'arrays differ in length');
  END IF;

  -- 1. Shared gates, ascending. Events that are not open now are refused anyway: taking no gate for them keeps a long
  --    settlement from stopping the batch. What opens between here and step 3 is refused too, for it is not gated.
  SELECT array_agg(g.event_id), count(pg_advisory_xact_lock_shared(7701, g.event_id::int)) INTO gated, k
  FROM (
    SELECT DISTINCT s.event_id FROM spots s JOIN events e ON e.id = s.event_id
    WHERE s.id = ANY (p_spots) AND e.state = 'open' ORDER BY 1
  ) g;
  at := game_now();
  -- 2. Wallets, ascending.
  PERFORM 1 FROM accounts WHERE user_id = ANY (p_users) AND kind = 'wallet' ORDER BY id FOR NO KEY UPDATE;

  -- 3. Judge all of them on a snapshot newer than the locks.
  WITH input AS MATERIALIZED (
    SELECT * FROM unnest(p_users, p_spots, p_wagers, p_keys, p_fences)
      WITH ORDINALITY AS i(player, spot, wager, key, fence, ord)
  ), found AS MATERIALIZED (
    SELECT i.*, a.id AS account, a.posted_cents - a.held_cents AS available, c.id AS prior,
      e.id AS event, e.round, e.state AS event_state, e.closes_at,
      CASE WHEN r.id IS NULL THEN e.session_id END AS new_in,
      CASE WHEN e.max_wager_cents IS NOT NULL THEN e.max_wager_cents - (
        SELECT coalesce(sum(u.wager_cents), 0) FROM calls u
        WHERE u.event_id = e.id AND u.user_id = i.player AND u.round = e.round AND u.state IN ('placed', 'closed')
      ) END::bigint AS room,
      CASE
        WHEN c.id IS NOT NULL THEN
          CASE WHEN c.spot_id = i.spot AND c.wager_cents = i.wager THEN 'replayed' ELSE 'key_reused' END
        WHEN a.id IS NULL OR e.id IS NULL OR e.state IN ('draft', 'hidden', 'soft_destroyed') THEN 'not_found'
        WHEN i.fence < greatest(a.fence, max(i.fence) OVER (PARTITION BY i.player ORDER BY i.ord)) THEN 'stale_lock'
        WHEN z.state = 'paused' AND e.state IN ('visible', 'open') THEN 'paused'
        WHEN e.state <> 'open' OR s.state <> 'open' OR z.state <> 'running'
          OR NOT coalesce(e.id = ANY (gated), false) THEN 'wrong_state'
        WHEN at >= e.closes_at THEN 'late'
        WHEN i.wager < e.min_wager_cents THEN 'below_min'
        WHEN i.wager > 100000000 THEN 'over_max'
      END AS base
    FROM input i
      LEFT JOIN LATERAL (
        SELECT a.id, a.posted_cents, a.held_cents, a.fence FROM accounts a
        WHERE a.user_id = i.player AND a.kind = 'wallet' LIMIT 1
      ) a ON true
      LEFT JOIN LATERAL (SELECT s.event_id, s.state FROM spots s WHERE s.id = i.spot LIMIT 1) s ON true
      LEFT JOIN LATERAL (SELECT * FROM events e WHERE e.id = s.event_id LIMIT 1) e ON true
      LEFT JOIN LATERAL (SELECT z.state FROM sessions z WHERE z.id = e.session_id LIMIT 1) z ON true
      LEFT JOIN LATERAL (
        SELECT r.id FROM registrations r WHERE r.session_id = e.session_id AND r.user_id = i.player LIMIT 1
      ) r ON true
      LEFT JOIN LATERAL (
        SELECT c.id, c.spot_id, c.wager_cents FROM calls c
        WHERE c.user_id = i.player AND c.idempotency_key = i.key LIMIT 1
      ) c ON true
  ), judged AS (
    SELECT f.*,
      CASE
        WHEN base IS NOT NULL THEN base
        WHEN sum(wager) FILTER (WHERE base IS NULL) OVER (PARTITION BY player, event ORDER BY ord) > room
          THEN 'over_max'
        WHEN sum(wager) FILTER (WHERE base IS NULL) OVER (PARTITION BY player ORDER BY ord) > available
          THEN 'insufficient'
        ELSE 'placed'
      END AS verdict,
      count(*) OVER (PARTITION BY player) AS mine,
      count(*) OVER (PARTITION BY player, key) AS twins
    FROM found f
  )
  SELECT array_agg(base ORDER BY ord), array_agg(verdict ORDER BY ord),
    array_agg(CASE WHEN verdict = 'placed' THEN nextval('calls_id_seq') ELSE prior END ORDER BY ord),
    array_agg(account ORDER BY ord), array_agg(event ORDER BY ord), array_agg(new_in ORDER BY ord),
    array_agg(round ORDER BY ord), array_agg(available ORDER BY ord), array_agg(room ORDER BY ord),
    array_agg(CASE WHEN at >= closes_at AND (verdict = 'late' OR verdict = 'wrong_state' AND event_state = 'closed')
      THEN round(extract(epoch FROM at - closes_at) * 1000, 1) END::float8 ORDER BY ord),
    -- Of players with several calls, those where a running sum refuses one or a key comes twice: a refused call must
    -- not count for the later ones, so these are judged one by one below.
    array_agg(ord::int ORDER BY player, ord) FILTER (
      WHERE mine > 1 AND (base IS NULL OR twins > 1 AND prior IS NULL) AND player IN (
        SELECT j.player FROM judged j WHERE j.mine > 1 AND (j.twins > 1 OR j.base IS NULL AND j.verdict <> 'placed')
      )
    )
  INTO v_base, v_code, v_call, v_account, v_event, v_session, v_round, v_available, v_room, v_late, again
  FROM judged;

  FOR i IN 1 .. coalesce(cardinality(again), 0) LOOP
    k := again[i];
    v_code[k] := NULL;
    v_call[k] := NULL;
    spent := 0;
    spent_on_event := 0;
    FOR j IN REVERSE i - 1 .. 1 LOOP
      earlier := again[j];
      EXIT WHEN p_users[earlier] <> p_users[k];
      CONTINUE WHEN v_code[earlier] <> 'placed';
      IF p_keys[earlier] = p_keys[k] THEN
        v_code[k] := CASE WHEN p_spots[earlier] = p_spots[k] AND p_wagers[earlier] = p_wagers[k] THEN 'replayed'
          ELSE 'key_reused' END;
        v_call[k] := v_call[earlier];
      END IF;
      spent := spent + p_wagers[earlier];
      IF v_event[earlier] = v_event[k] THEN
        spent_on_event := spent_on_event + p_wagers[earlier];
      END IF;
    END LOOP;
    v_code[k] := CASE
      WHEN v_code[k] IS NOT NULL THEN v_code[k]
      WHEN v_base[k] IS NOT NULL THEN v_base[k]
      WHEN spent_on_event + p_wagers[k] > v_room[k] THEN 'over_max'
      WHEN spent + p_wagers[k] > v_available[k] THEN 'insufficient'
      ELSE 'placed'
    END;
    IF v_code[k] = 'placed' THEN
      v_call[k] := nextval('calls_id_seq');
    END IF;
  END LOOP;

  -- 4. Write. The trigger on calls moves what is held, and its CHECK is the last judge.
  IF 'placed' = ANY (v_code) THEN
    INSERT INTO calls (id, user_id, account_id, event_id, spot_id, round, wager_cents, idempotency_key, placed_at,
        updated_at)
      OVERRIDING SYSTEM VALUE
      SELECT i.id, i.player, i.account, i.event, i.spot, i.round, i.wager, i.key, at, at
      FROM unnest(v_call, p_users, v_account, v_event, p_spots, v_round, p_wagers, p_keys, v_code)
        AS i(id, player, account, event, spot, round, wager, key, code)
      WHERE i.code = 'placed';
    IF array_remove(v_session, NULL) <> '{}' THEN
      INSERT INTO registrations (session_id, user_id, display_name, created_at)
        SELECT DISTINCT i.session, u.id, u.username, at
        FROM unnest(v_session, p_users, v_code) AS i(session, player, code)
          JOIN LATERAL (SELECT u.id, u.username FROM users u WHERE u.id = i.player LIMIT 1) u ON true
        WHERE i.code = 'placed' AND i.session IS NOT NULL
        ORDER BY 1, 2
        ON CONFLICT ON CONSTRAINT registrations_once DO NOTHING;
    END IF;
    INSERT INTO outbox (kind, payload)
      SELECT 'calls_placed', jsonb_build_object('callIds', jsonb_agg(i.id))
      FROM unnest(v_call, v_code) AS i(id, code) WHERE i.code = 'placed';
  END IF;
  IF p_fences IS NOT NULL THEN
    UPDATE accounts a SET fence = f.fence
      FROM (SELECT i.account, max(i.fence) AS fence FROM unnest(v_account, p_fences) AS i(account, fence) GROUP BY 1) f
      WHERE a.id = f.account AND a.fence < f.fence;
  END IF;
  RETURN QUERY SELECT i.ord::int, i.code, i.call, i.late
    FROM unnest(v_code, v_call, v_late) WITH ORDINALITY AS i(code, call, late, ord);
END $$;

-- A player takes an own call back: while the event is open, its session runs, and the close is at least 5 s away.
-- Taking it back again answers the same. Answers the call.
CREATE FUNCTION cancel_call(p_user bigint, p_call bigint) RETURNS calls LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  e events;
BEGIN
  PERFORM require_read_committed();
  SELECT * INTO c FROM calls WHERE id = p_call AND user_id = p_user;
  IF NOT FOUND THEN
    PERFORM refuse('LK404', 'not found');
  END IF;
  PERFORM event_gate_shared(c.event_id);
  SELECT * INTO e FROM events WHERE id = c.event_id;
  PERFORM 1 FROM accounts WHERE id = c.account_id FOR NO KEY UPDATE;
  SELECT * INTO c FROM calls WHERE id = p_call FOR NO KEY UPDATE;
  IF c.state = 'soft_destroyed' THEN
    RETURN c;
  END IF;
  IF c.state <> 'placed' OR e.state <> 'open' OR game_now() > e.closes_at - interval '5 seconds'
    OR EXISTS (SELECT 1 FROM sessions WHERE id = e.session_id AND state <> 'running')
  THEN
    PERFORM refuse('LK003', 'cannot take back a call that is ' || c.state || ' on an event that is ' || e.state);
  END IF;
  UPDATE calls SET state = 'soft_destroyed', updated_at = game_now() WHERE id = p_call RETURNING * INTO c;
  INSERT INTO outbox (kind, payload) VALUES ('call_cancelled', jsonb_build_object('callId', p_call));
  RETURN c;
END $$;
--> statement-breakpoint

-- ===== Looking =====

-- What is at stake now, per event, round and side.
CREATE VIEW exposure AS
  SELECT c.event_id, c.round, s.side, count(*) AS calls, count(DISTINCT c.user_id) AS players,
    sum(c.wager_cents)::bigint AS staked_cents
  FROM calls c JOIN spots s ON s.id = c.spot_id
  WHERE c.state IN ('placed', 'closed')
  GROUP BY 1, 2, 3;

-- Counts what is wrong; every row must be 0, at every moment.
CREATE VIEW reconcile AS
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
    SELECT settlement_id, sum(payout_cents) AS paid FROM settlement_lines GROUP BY 1
  ) l ON l.settlement_id = s.id
  WHERE s.pool_cents + s.refunded_cents <> coalesce(l.paid, 0)
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
  )
  UNION ALL
  SELECT 'events whose result is not the live settlement', count(*)
  FROM events e LEFT JOIN settlements s ON s.event_id = e.id AND s.round = e.round AND NOT s.superseded
  WHERE e.result IS DISTINCT FROM s.result
  UNION ALL
  SELECT 'active calls on a resolved event', count(*)
  FROM calls c JOIN events e ON e.id = c.event_id
  WHERE e.result IS NOT NULL AND c.state IN ('placed', 'closed')
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
    LEFT JOIN journal b ON b.id = p.chargeback_id AND b.kind = 'chargeback'
  WHERE (p.state IN ('succeeded', 'refunded')) <> (d.id IS NOT NULL) OR (p.state = 'refunded') <> (b.id IS NOT NULL);
