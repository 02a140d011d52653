import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { payWholeSettlement } from "#db/ledger/pay-settlement-part.ts";
import { settleEvent } from "#db/ledger/settle-event.ts";
import { closeCalls } from "#tests/support/close-calls.ts";
import { violationOf } from "./books.ts";
import { testLedger } from "./fixtures.ts";

const ledger = await testLedger();
const { pool, db } = ledger;
const rich = await ledger.player();
const poor = await ledger.player(100);
const resolved = await ledger.openEvent();
const paidCall = await ledger.call({ userId: rich, spotId: resolved.trueSpot, wagerCents: 50 });
await ledger.call({ userId: poor, spotId: resolved.falseSpot, wagerCents: 50 });
await ledger.settle(resolved, "true");
const open = await ledger.openEvent();
const openCall = await ledger.call({ userId: rich, spotId: open.trueSpot });
await db.execute(sql`INSERT INTO audit (action, subject_type, subject_id) VALUES ('look', 'Event', 1)`);

const violation = (statement: string) => ledger.violation(statement);
const wallet = (userId: number) => `(SELECT id FROM accounts WHERE user_id = ${userId} AND kind = 'wallet')`;
const system = (kind: string) => `(SELECT id FROM accounts WHERE kind = '${kind}')`;
/** An entry as post_entries would write it, so that only the tested property is wrong. */
const entry = (account: string, amountCents: number, journal: string) =>
  `INSERT INTO entries (journal_id, account_id, amount_cents, balance_after_cents, held_after_cents, account_version)
   SELECT ${journal}, id, ${amountCents}, posted_cents + ${amountCents}, held_cents, version + 1
   FROM accounts WHERE id = ${account}`;
const journal = `INSERT INTO journal (kind, idempotency_key, request_hash, reason)
  VALUES ('grant', gen_random_uuid()::text, '', 'Welcome') RETURNING id`;

test("a balance cannot be set directly", async () => {
  for (const column of ["posted_cents", "held_cents", "held_calls", "version", "revision"]) {
    expect(await violation(`UPDATE accounts SET ${column} = ${column} + 1 WHERE user_id = ${rich}`)).toMatch(
      "illegal change of accounts",
    );
  }
});

test("an account never changes its owner or kind, and is never deleted", async () => {
  expect(await violation(`UPDATE accounts SET user_id = ${poor} WHERE id = ${wallet(rich)}`)).toMatch(
    "illegal",
  );
  expect(await violation(`UPDATE accounts SET kind = 'receivable' WHERE id = ${wallet(rich)}`)).toMatch(
    "illegal",
  );
  expect(await violation(`DELETE FROM accounts WHERE kind = 'house'`)).toBe("accounts is append-only");
  expect(await violation(`TRUNCATE accounts CASCADE`)).toMatch("append-only");
});

test("an account starts empty, and each user has one wallet", async () => {
  const start = `INSERT INTO accounts (kind, user_id, posted_cents) VALUES`;
  expect(await violation(`${start} ('wallet', ${rich}, 5)`)).toMatch("cannot start like this");
  expect(await violation(`${start} ('wallet', ${rich}, 0)`)).toBe("accounts_owner");
  expect(await violation(`${start} ('house', NULL, 0)`)).toBe("accounts_system");
  expect(await violation(`${start} ('house', ${rich}, 0)`)).toBe("accounts_owner_known");
});

test("a wallet cannot be overdrawn by an entry", async () => {
  const statement = `WITH j AS (${journal}) ${entry(wallet(poor), -51, "(SELECT id FROM j)")}`;
  expect(await violation(statement)).toBe("wallet_not_overdrawn");
});

test("a wallet cannot be overdrawn by a hold", async () => {
  const statement = `INSERT INTO calls (user_id, account_id, event_id, spot_id, round, wager_cents, idempotency_key,
    placed_at) VALUES (${poor}, ${wallet(poor)}, ${open.id}, ${open.trueSpot}, 1, 51, 'k', now())`;
  expect(await violation(statement)).toBe("wallet_not_overdrawn");
});

test("a held amount cannot be negative, and only wallets have one", async () => {
  const disable = "ALTER TABLE accounts DISABLE TRIGGER accounts_balances;";
  expect(await violation(`${disable} UPDATE accounts SET held_cents = -1 WHERE id = ${wallet(poor)}`)).toBe(
    "held_not_negative",
  );
  expect(await violation(`${disable} UPDATE accounts SET held_cents = 1 WHERE kind = 'house'`)).toBe(
    "only_wallets_hold",
  );
});

test("a wallet has held cents if and only if it has held calls", async () => {
  const disable = "ALTER TABLE accounts DISABLE TRIGGER accounts_balances;";
  expect(await violation(`${disable} UPDATE accounts SET held_calls = 0 WHERE id = ${wallet(rich)}`)).toBe(
    "wallet_holds_calls",
  );
  expect(await violation(`${disable} UPDATE accounts SET held_calls = 1 WHERE id = ${wallet(poor)}`)).toBe(
    "wallet_holds_calls",
  );
});

test("a receivable is never above zero", async () => {
  const receivable = `(SELECT id FROM accounts WHERE user_id = ${poor} AND kind = 'receivable')`;
  expect(await violation(`WITH j AS (${journal}) ${entry(receivable, 1, "(SELECT id FROM j)")}`)).toBe(
    "receivable_sign",
  );
});

test("a journal that does not balance cannot commit", async () => {
  const statement = `WITH j AS (${journal}) ${entry(system("promo"), -5, "(SELECT id FROM j)")}`;
  expect(await violation(statement)).toMatch("does not balance");
});

test("no entry can be added to a sealed journal, not even a balanced pair", async () => {
  const statement = `SELECT post_entries(1, ARRAY[${wallet(rich)}, ${system("promo")}], ARRAY[5, -5])`;
  expect(await violation(statement)).toBe("journal is sealed");
});

test("journal, entries, settlement lines and audit are append-only", async () => {
  for (const table of ["journal", "entries", "settlement_lines", "audit"]) {
    expect(await violation(`DELETE FROM ${table}`)).toBe(`${table} is append-only`);
    expect(await violation(`TRUNCATE ${table} CASCADE`)).toMatch("is append-only");
  }
  expect(await violation("UPDATE journal SET reason = 'none'")).toBe("journal is append-only");
  expect(await violation("UPDATE entries SET amount_cents = 1")).toBe("entries is append-only");
  expect(await violation("UPDATE settlement_lines SET payout_cents = 1")).toBe(
    "settlement_lines is append-only",
  );
  expect(await violation("UPDATE audit SET action = 'none'")).toBe("audit is append-only");
});

test("an account's history cannot fork or leave a gap", async () => {
  const fork = entry(system("promo"), -5, "(SELECT id FROM j)").replace("version + 1", "version");
  expect(await violation(`WITH j AS (${journal}) ${fork}`)).toBe("entries_no_fork");
  const gap = entry(system("promo"), -5, "(SELECT id FROM j)").replace("version + 1", "version + 2");
  expect(await violation(`WITH j AS (${journal}) ${gap}`)).toBe("entry does not continue its account");
});

test("an entry has the correct balance of its account", async () => {
  const wrong = entry(system("promo"), -5, "(SELECT id FROM j)").replace(
    "posted_cents +",
    "posted_cents + 1 +",
  );
  expect(await violation(`WITH j AS (${journal}) ${wrong}`)).toBe("entry does not continue its account");
  const zero = entry(system("promo"), 0, "(SELECT id FROM j)");
  expect(await violation(`WITH j AS (${journal}) ${zero}`)).toBe("entries_not_zero");
});

test("an entry is on an account, and an entry of a call on its player's wallet", async () => {
  const of = (account: string, callId: string) =>
    `WITH j AS (${journal}) INSERT INTO entries (journal_id, account_id, call_id, amount_cents, balance_after_cents,
      held_after_cents, account_version) SELECT id, ${account}, ${callId}, 1, 1, 0, 1 FROM j`;
  expect(await violation(of("999999", "NULL"))).toBe("entry is on no account");
  for (const callId of [String(paidCall), "999999"]) {
    const statement = of(wallet(poor), callId).replace(", 1, 1, 0, 1 FROM", ", 1, 1, 0, 99 FROM");
    expect(await violation(statement)).toBe("entry of a call is not on its wallet");
  }
});

test("a settlement's lines are of calls of its event only", async () => {
  const settle = (callId: number) =>
    `WITH j AS (INSERT INTO journal (kind, idempotency_key, request_hash, event_id, round)
        VALUES ('settle', gen_random_uuid()::text, '', ${open.id}, 1) RETURNING id),
      s AS (INSERT INTO settlements (event_id, round, version, result, journal_id, pool_cents, winning_pool_cents,
          refunded_cents, calls_count) SELECT ${open.id}, 1, 1, 'void', id, 0, 0, 0, 1 FROM j RETURNING id)
      INSERT INTO settlement_lines (settlement_id, call_id, payout_cents, outcome) SELECT id, ${callId}, 0, 'lost' FROM s`;
  for (const callId of [paidCall, 999_999]) {
    expect(await violation(settle(callId))).toBe("line is not of a call of its event");
  }
});

test("one idempotency key is one journal", async () => {
  const statement = `INSERT INTO journal (kind, idempotency_key, request_hash, reason)
    SELECT kind, idempotency_key, '', 'Welcome' FROM journal LIMIT 1`;
  expect(await violation(statement)).toBe("journal_idempotencyKey_unique");
});

test("a second live settlement of a round is refused", async () => {
  const statement = `WITH j AS (INSERT INTO journal (kind, idempotency_key, request_hash, event_id, round)
      VALUES ('settle', 'twice', '', ${resolved.id}, 1) RETURNING id)
    INSERT INTO settlements (event_id, round, version, result, journal_id, pool_cents, winning_pool_cents,
      refunded_cents) SELECT ${resolved.id}, 1, 2, 'true', id, 0, 0, 0 FROM j`;
  expect(await violation(statement)).toBe("settlements_one_live");
});

test("a settlement that does not conserve the pool cannot commit", async () => {
  const event = await ledger.openEvent();
  await ledger.close(event);
  const statement = `UPDATE events SET state = 'resolved', result = 'true' WHERE id = ${event.id};
    WITH j AS (INSERT INTO journal (kind, idempotency_key, request_hash, event_id, round)
      VALUES ('settle', 'bad', '', ${event.id}, 1) RETURNING id)
    INSERT INTO settlements (event_id, round, version, result, journal_id, pool_cents, winning_pool_cents,
      refunded_cents) SELECT ${event.id}, 1, 1, 'true', id, 100, 0, 0 FROM j`;
  expect(await violation(statement)).toMatch("does not conserve the pool");
});

test("a settlement never changes, is never deleted, and gets no line later", async () => {
  expect(await violation("UPDATE settlements SET pool_cents = 1")).toMatch("illegal change of settlements");
  expect(await violation("DELETE FROM settlements")).toBe("settlements is append-only");
  const line = `INSERT INTO settlement_lines SELECT max(id), ${openCall}, 5, 'won' FROM settlements`;
  expect(await violation(line)).toBe("settlement is sealed");
});

test("a call cannot have another payout than its settlement", async () => {
  expect(await violation(`UPDATE calls SET payout_cents = 101 WHERE id = ${paidCall}`)).toBe(
    "payout is not what the live settlement paid",
  );
  expect(await violation(`UPDATE calls SET payout_cents = 49 WHERE id = ${paidCall}`)).toBe(
    "calls_won_pays_wager",
  );
  const resolving = violationOf(pool, () =>
    inTransaction(db, async (tx) => {
      await tx.execute(sql`UPDATE events SET state = 'closed' WHERE id = ${open.id}`);
      await closeCalls(tx, open.id);
      await tx.execute(sql`UPDATE calls SET state = 'resolved', outcome = 'refunded', payout_cents = wager_cents, ended_at = game_now()
        WHERE event_id = ${open.id}`);
    }),
  );
  expect(await resolving).toBe("payout is not what the live settlement paid");
});

test("a call whose payout is decided cannot be destroyed before it is paid", async () => {
  const event = await ledger.openEvent();
  const callId = await ledger.call({ userId: await ledger.player(), spotId: event.trueSpot });
  await ledger.close(event);
  await ledger.decide(event, { result: "void" });
  const destroying = `UPDATE calls SET state = 'soft_destroyed', refunded_by = 'admin', ended_at = game_now() WHERE id = ${callId}`;
  expect(await violation(destroying)).toBe("the payout of a destroyed call is decided");
  await inTransaction(db, (tx) => payWholeSettlement(tx, event.id));
});

test("an event and its money move together or not at all", async () => {
  const event = await ledger.openEvent();
  await ledger.close(event);
  expect(
    await violation(`UPDATE events SET state = 'resolved', result = 'true' WHERE id = ${event.id}`),
  ).toMatch("was not settled so");
  const paying = violationOf(pool, () =>
    inTransaction(db, (tx) => settleEvent(tx, { eventId: event.id, result: "true", actorId: null })),
  );
  expect(await paying).toMatch("was not settled so");
  expect(await violation(`UPDATE events SET state = 'closed' WHERE id = ${open.id}`)).toMatch(
    "has placed calls",
  );
});
