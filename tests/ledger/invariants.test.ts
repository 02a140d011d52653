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

const withJournal = (statement: string) => `WITH j AS (${journal}) ${statement}`;
const ofNew = (account: string, amountCents: number) =>
  withJournal(entry(account, amountCents, "(SELECT id FROM j)"));
const account = `INSERT INTO accounts (kind, user_id, posted_cents) VALUES`;
const receivable = `(SELECT id FROM accounts WHERE user_id = ${poor} AND kind = 'receivable')`;
/** Without the trigger that keeps the balances: the constraint must hold by itself. */
const setAlone = (values: string) =>
  `ALTER TABLE accounts DISABLE TRIGGER accounts_balances; UPDATE accounts SET ${values}`;
const promo = ofNew(system("promo"), -5);
const ofCall = (where: string, callId: string, version = 1) =>
  withJournal(`INSERT INTO entries (journal_id, account_id, call_id, amount_cents, balance_after_cents,
    held_after_cents, account_version) SELECT id, ${where}, ${callId}, 1, 1, 0, ${version} FROM j`);
const appendOnly = ["journal", "entries", "settlement_lines", "audit"];

/** What is refused, by statement, and the refusal. */
const refused: Record<string, [statement: string, refusal: string | RegExp][]> = {
  "a balance cannot be set directly": ["posted_cents", "held_cents", "held_calls", "version", "revision"].map(
    (column) => [
      `UPDATE accounts SET ${column} = ${column} + 1 WHERE user_id = ${rich}`,
      /illegal change of accounts/,
    ],
  ),
  "an account never changes its owner or kind, and is never deleted": [
    [`UPDATE accounts SET user_id = ${poor} WHERE id = ${wallet(rich)}`, /illegal/],
    [`UPDATE accounts SET kind = 'receivable' WHERE id = ${wallet(rich)}`, /illegal/],
    [`DELETE FROM accounts WHERE kind = 'house'`, "accounts is append-only"],
    [`TRUNCATE accounts CASCADE`, /append-only/],
  ],
  "an account starts empty, and each user has one wallet": [
    [`${account} ('wallet', ${rich}, 5)`, /cannot start like this/],
    [`${account} ('wallet', ${rich}, 0)`, "accounts_owner"],
    [`${account} ('house', NULL, 0)`, "accounts_system"],
    [`${account} ('house', ${rich}, 0)`, "accounts_owner_known"],
  ],
  "a wallet cannot be overdrawn by an entry or a hold": [
    [ofNew(wallet(poor), -51), "wallet_not_overdrawn"],
    [
      `INSERT INTO calls (user_id, account_id, event_id, spot_id, round, wager_cents, idempotency_key, placed_at)
        VALUES (${poor}, ${wallet(poor)}, ${open.id}, ${open.trueSpot}, 1, 51, 'k', now())`,
      "wallet_not_overdrawn",
    ],
  ],
  "a held amount cannot be negative, and only wallets have one": [
    [setAlone(`held_cents = -1 WHERE id = ${wallet(poor)}`), "held_not_negative"],
    [setAlone("held_cents = 1 WHERE kind = 'house'"), "only_wallets_hold"],
  ],
  "a wallet has held cents if and only if it has held calls": [
    [setAlone(`held_calls = 0 WHERE id = ${wallet(rich)}`), "wallet_holds_calls"],
    [setAlone(`held_calls = 1 WHERE id = ${wallet(poor)}`), "wallet_holds_calls"],
  ],
  "a receivable is never above zero": [[ofNew(receivable, 1), "receivable_sign"]],
  "a journal that does not balance cannot commit": [[promo, /does not balance/]],
  "no entry can be added to a sealed journal, not even a balanced pair": [
    [`SELECT post_entries(1, ARRAY[${wallet(rich)}, ${system("promo")}], ARRAY[5, -5])`, "journal is sealed"],
  ],
  "journal, entries, settlement lines and audit are append-only": [
    ...appendOnly.flatMap((table): [string, string | RegExp][] => [
      [`DELETE FROM ${table}`, `${table} is append-only`],
      [`TRUNCATE ${table} CASCADE`, /is append-only/],
    ]),
    ["UPDATE journal SET reason = 'none'", "journal is append-only"],
    ["UPDATE entries SET amount_cents = 1", "entries is append-only"],
    ["UPDATE settlement_lines SET payout_cents = 1", "settlement_lines is append-only"],
    ["UPDATE audit SET action = 'none'", "audit is append-only"],
  ],
  "an account's history cannot fork or leave a gap": [
    [promo.replace("version + 1", "version"), "entries_no_fork"],
    [promo.replace("version + 1", "version + 2"), "entry does not continue its account"],
  ],
  "an entry has the correct balance of its account": [
    [promo.replace("posted_cents +", "posted_cents + 1 +"), "entry does not continue its account"],
    [ofNew(system("promo"), 0), "entries_not_zero"],
  ],
  "an entry is on an account, and an entry of a call on its player's wallet": [
    [ofCall("999999", "NULL"), "entry is on no account"],
    [ofCall(wallet(poor), String(paidCall), 99), "entry of a call is not on its wallet"],
    [ofCall(wallet(poor), "999999", 99), "entry of a call is not on its wallet"],
  ],
  "one idempotency key is one journal": [
    [
      `INSERT INTO journal (kind, idempotency_key, request_hash, reason)
        SELECT kind, idempotency_key, '', 'Welcome' FROM journal LIMIT 1`,
      "journal_idempotencyKey_unique",
    ],
  ],
  "a second live settlement of a round is refused": [
    [
      `WITH j AS (INSERT INTO journal (kind, idempotency_key, request_hash, event_id, round)
          VALUES ('settle', 'twice', '', ${resolved.id}, 1) RETURNING id)
        INSERT INTO settlements (event_id, round, version, result, journal_id, pool_cents, winning_pool_cents,
          refunded_cents) SELECT ${resolved.id}, 1, 2, 'true', id, 0, 0, 0 FROM j`,
      "settlements_one_live",
    ],
  ],
  "a settlement never changes, is never deleted, and gets no line later": [
    ["UPDATE settlements SET pool_cents = 1", /illegal change of settlements/],
    ["DELETE FROM settlements", "settlements is append-only"],
    [
      `INSERT INTO settlement_lines SELECT max(id), ${openCall}, 5, 'won' FROM settlements`,
      "settlement is sealed",
    ],
  ],
};

test.each(Object.entries(refused))("the database refuses: %s", async (_, statements) => {
  for (const [statement, refusal] of statements) {
    const found = await violation(statement);
    if (typeof refusal === "string") expect(found).toBe(refusal);
    else expect(found).toMatch(refusal);
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
