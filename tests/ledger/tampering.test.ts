import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { testLedger } from "./fixtures.ts";

// What the owner of the tables can do so that every sum still agrees. It is refused, or a check of the books finds it.

const ledger = await testLedger();
const { db } = ledger;
const [ana, bob] = [await ledger.player(), await ledger.player()];
const resolved = await ledger.openEvent();
await ledger.call({ userId: ana, spotId: resolved.trueSpot });
await ledger.call({ userId: bob, spotId: resolved.falseSpot });
await ledger.settle(resolved, "true");
const open = await ledger.openEvent();
const openCall = await ledger.call({ userId: ana, spotId: open.trueSpot });
const closed = await ledger.openEvent();
const closedCall = await ledger.call({ userId: ana, spotId: closed.trueSpot });
await ledger.close(closed);

const refused = (statement: string) => ledger.violation(statement);

const foundAfter = (...statements: string[]) =>
  ledger.foundAfter(async (tx) => {
    for (const statement of statements) await tx.execute(sql.raw(statement));
    await tx.execute(sql`SET CONSTRAINTS ALL IMMEDIATE`);
  });

const walletOf = (userId: number) =>
  `(SELECT id FROM accounts WHERE user_id = ${userId} AND kind = 'wallet')`;
const promo = "(SELECT id FROM accounts WHERE kind = 'promo')";

/** A balanced journal of this kind, between two accounts, as the ledger's functions would write it. */
function booking(kind: string, from: string, to: string): string {
  return `WITH j AS (INSERT INTO journal (kind, idempotency_key, request_hash, reason)
      VALUES ('${kind}', gen_random_uuid()::text, '', 'Mine') RETURNING id)
    SELECT post_entries(j.id, ARRAY[${from}, ${to}], ARRAY[-100, 100]::bigint[]) FROM j`;
}

test.each(["grant", "deposit", "adjust", "repay", "chargeback"])(
  "a balanced transfer between two wallets is found, as a journal of the kind %s",
  async (kind) => {
    expect(await foundAfter(booking(kind, walletOf(ana), walletOf(bob)))).toContain(
      "journals that book what their kind does not",
    );
  },
);

test("a balanced transfer between two wallets is found, as a part of a settlement", async () => {
  const transfer = booking("settle", walletOf(ana), walletOf(bob)).replace(
    "(kind, idempotency_key, request_hash, reason)\n      VALUES ('settle', gen_random_uuid()::text, '', 'Mine')",
    `(kind, idempotency_key, request_hash, event_id, round)
      VALUES ('settle', gen_random_uuid()::text, '', ${resolved.id}, 1)`,
  );
  expect(await foundAfter(transfer)).toContain("journals that book what their kind does not");
});

test("a grant from another account than promo is found", async () => {
  const house = "(SELECT id FROM accounts WHERE kind = 'house')";
  expect(await foundAfter(booking("grant", house, walletOf(ana)))).toContain(
    "journals that book what their kind does not",
  );
});

test.each(["NULL", "''"])("a grant with the reason %s is refused", async (reason) => {
  const grant = booking("grant", promo, walletOf(ana)).replace("'Mine'", reason);
  expect(await refused(grant)).toBe("journal_reason");
});

test("a journal with the number of another transaction is refused", async () => {
  const statement = `INSERT INTO journal (kind, idempotency_key, request_hash, reason, tx)
    VALUES ('grant', 'invented', '', 'Mine', '12345')`;
  expect(await refused(statement)).toMatch("a row of journal cannot start like this");
});

test("a closed call is not cancelled, and a refund of it without its audit line is found", async () => {
  const end = `UPDATE calls SET state = 'soft_destroyed', ended_at = game_now(), updated_at = game_now()`;
  expect(await refused(`${end} WHERE id = ${closedCall}`)).toMatch("illegal change of calls");
  for (const cause of ["admin", "skip", "reset"]) {
    expect(await foundAfter(`${end}, refunded_by = '${cause}' WHERE id = ${closedCall}`)).toEqual([
      "calls refunded after the close without a cause",
    ]);
  }
});

test("a placed call that is cancelled after the close is found", async () => {
  const late = `UPDATE calls SET state = 'soft_destroyed', ended_at = game_now() + interval '1 hour' WHERE id = ${openCall}`;
  const closing = `UPDATE events SET state = 'closed', closed_at = game_now(), opened_at = game_now() - interval '1 minute'
    WHERE id = ${open.id}`;
  expect(await foundAfter(late, closing)).toEqual(["calls refunded after the close without a cause"]);
});

test("another winner than the result is found", async () => {
  expect(await foundAfter(`UPDATE spots SET won = NOT won WHERE event_id = ${resolved.id}`)).toEqual([
    "spots that do not show the result",
  ]);
  expect(await foundAfter(`UPDATE spots SET won = NULL WHERE event_id = ${resolved.id}`)).toEqual([
    "spots that do not show the result",
  ]);
});

test("the close of an open event with calls is not moved into the past; one before its calls is found", async () => {
  const move = (to: string) => `UPDATE events SET closes_at = ${to} WHERE id = ${open.id}`;
  expect(await refused(move("game_now() - interval '1 minute'"))).toMatch("cannot have closed at");
  const placedAt = `(SELECT placed_at FROM calls WHERE id = ${closedCall})`;
  expect(await foundAfter(`UPDATE events SET closes_at = ${placedAt} WHERE id = ${closed.id}`)).toEqual([
    "calls placed after the close",
  ]);
});

test.each(["accounts", "events", "sessions"])(
  "a lock token from the future is refused on %s",
  async (table) => {
    await db.execute(
      sql`INSERT INTO sessions (slug, name) VALUES ('fenced', 'Fenced') ON CONFLICT DO NOTHING`,
    );
    expect(await refused(`UPDATE ${table} SET fence = 9223372036854775807`)).toMatch(
      `illegal change of ${table}`,
    );
  },
);

test("the outbox is not emptied, no unsent fact deleted, and none changed", async () => {
  expect(await refused("TRUNCATE outbox")).toBe("outbox is append-only");
  expect(await refused("DELETE FROM outbox WHERE sent_at IS NULL")).toMatch("illegal change of outbox");
  expect(await refused(`UPDATE outbox SET payload = '{"callIds": []}'`)).toMatch("illegal change of outbox");
});
