import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { cancelCall, destroyCall } from "#db/ledger/cancel-call.ts";
import { grantPlayMoney, takeBackPlayMoney } from "#db/ledger/grant-play-money.ts";
import { listEntries } from "#db/ledger/list-entries.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { testDatabase } from "#tests/support/database.ts";
import { balances, expectBooksToAgree, refusalCodeOf } from "./books.ts";
import {
  buildCall as buildPaidCall,
  buildOpenEvent,
  buildPlayer,
  buildSession,
  closeAndResolve,
  closeEvent,
  openEvent,
  placeCall as placePaidCall,
  resetEvent,
  resolveEvent,
  writeRefundAudit,
} from "./fixtures.ts";
import { readHouseGrants, refusedCodeOf } from "./house-grants.ts";
import { adjust, deposit } from "./move-money.ts";
import { expectRecomputedHistory } from "./recomputed-history.ts";

// A player without money, and without an active call, calls with the house's dollar: the ledger grants what is missing to a wager of
// at most $1.00, once for a player and event, in the statement that places the call.

const { pool } = await testDatabase();

afterTest(() => expectBooksToAgree(pool));

type Asked = Parameters<typeof placePaidCall>[1];
/** All calls of these tests ask the house. */
const placeCall = (db: typeof pool, call: Asked) => placePaidCall(db, { onTheHouse: true, ...call });
const buildCall = (db: typeof pool, call: Asked) => buildPaidCall(db, { onTheHouse: true, ...call });
const refused = (call: Asked) => refusedCodeOf(pool, { onTheHouse: true, ...call });
const givenTo = (userId: number) => readHouseGrants(pool, userId);

test.each([
  [0, 100, 100],
  [0, 1, 1],
  [99, 100, 1],
  [40, 41, 1],
])("with %d cents a call of %d is placed with %d of the house", async (hasCents, wagerCents, givenCents) => {
  const userId = await buildPlayer(pool, hasCents);
  const event = await buildOpenEvent(pool);
  const call = { userId, spotId: event.trueSpot, wagerCents, idempotencyKey: "housed" };
  const { details } = await placeCall(pool, call);
  expect(details).toMatchObject({ wagerCents, availableCents: 0, heldCents: wagerCents });
  expect(await givenTo(userId)).toBe(givenCents);
  expect(await balances(pool, userId)).toEqual([wagerCents, wagerCents, 0]);
  // The same request again is the same call, and the house gives nothing more.
  expect(await placeCall(pool, call)).toMatchObject({ code: "replayed", callId: details?.id });
  expect(await balances(pool, userId)).toEqual([wagerCents, wagerCents, 0]);
  const { transactions } = await listEntries(pool.db, { userId, limit: 2, offset: 0 });
  expect(transactions).toMatchObject([
    { kind: "hold", amountCents: -wagerCents, availableAfterCents: 0 },
    { kind: "grant", amountCents: givenCents, reason: "On the house", eventTitle: "Will it?" },
  ]);
  await expectRecomputedHistory(pool, userId);
});

test("in a batch each call asks for itself", async () => {
  const [asks, doesNot] = [await buildPlayer(pool, 40), await buildPlayer(pool, 40)];
  const { trueSpot: spotId } = await buildOpenEvent(pool);
  const callOf = (userId: number, onTheHouse: boolean) => ({
    userId,
    spotId,
    wagerCents: 100,
    idempotencyKey: "one of two",
    onTheHouse,
  });
  const batch = await placeCalls(pool, [callOf(doesNot, false), callOf(asks, true)]);
  expect(batch.map(({ code }) => code)).toEqual(["insufficient", "placed"]);
  expect([await givenTo(doesNot), await givenTo(asks)]).toEqual([0, 60]);
});

test("who has enough pays, and nobody gets more than a dollar", async () => {
  const [rich, broke] = [await buildPlayer(pool, 100), await buildPlayer(pool, 99)];
  const event = await buildOpenEvent(pool);
  expect(await refused({ userId: broke, spotId: event.trueSpot, wagerCents: 101 })).toBe("insufficient");
  expect(await refused({ userId: rich, spotId: event.trueSpot, wagerCents: 101 })).toBe("insufficient");
  await buildCall(pool, { userId: broke, spotId: event.trueSpot, wagerCents: 99 });
  await buildCall(pool, { userId: rich, spotId: event.trueSpot, wagerCents: 100 });
  expect([await givenTo(rich), await givenTo(broke)]).toEqual([0, 0]);
});

test("who holds a call gets nothing, on the same question or on another", async () => {
  const userId = await buildPlayer(pool, 0);
  const [event, other] = [await buildOpenEvent(pool), await buildOpenEvent(pool)];
  await buildCall(pool, { userId, spotId: event.trueSpot });
  expect(await refused({ userId, spotId: event.falseSpot })).toBe("insufficient");
  expect(await refused({ userId, spotId: other.trueSpot, wagerCents: 1 })).toBe("insufficient");
  await closeEvent(pool, event);
  expect(await refused({ userId, spotId: other.trueSpot })).toBe("insufficient");
});

test("a question that takes no call, or not this one, costs the house nothing", async () => {
  const userId = await buildPlayer(pool, 0);
  const sessionId = await buildSession(pool);
  const large = await buildOpenEvent(pool, { sessionId, minWagerCents: 200 });
  const small = await buildOpenEvent(pool, { sessionId, maxWagerCents: 50 });
  const late = await buildOpenEvent(pool, { sessionId, closesInMs: -1 });
  expect(await refused({ userId, spotId: large.trueSpot })).toBe("below_min");
  expect(await refused({ userId, spotId: small.trueSpot })).toBe("over_max");
  expect(await refused({ userId, spotId: late.trueSpot })).toBe("late");
  await pool.db.execute(sql`UPDATE sessions SET state = 'paused', paused_at = now() WHERE id = ${sessionId}`);
  expect(await refused({ userId, spotId: small.trueSpot, wagerCents: 50 })).toBe("paused");
  await pool.db.execute(sql`UPDATE sessions SET state = 'running', paused_at = NULL WHERE id = ${sessionId}`);
  await buildCall(pool, { userId, spotId: small.trueSpot, wagerCents: 50 });
});

test("a session can do without it", async () => {
  const userId = await buildPlayer(pool, 0);
  const sessionId = await buildSession(pool);
  const { trueSpot: spotId } = await buildOpenEvent(pool, { sessionId });
  const set = (setting: string) =>
    pool.db.execute(sql`UPDATE sessions SET settings = ${setting}::text::jsonb WHERE id = ${sessionId}`);
  await set('{"houseDollar": false}');
  expect(await refused({ userId, spotId })).toBe("insufficient");
  await set('{"houseDollar": true}');
  await buildCall(pool, { userId, spotId });
});

test("the house gives once for a question, whatever became of the call", async () => {
  const userId = await buildPlayer(pool, 0);
  const [event, other] = [await buildOpenEvent(pool), await buildOpenEvent(pool)];
  const callId = await buildCall(pool, { userId, spotId: event.trueSpot });
  await cancelCall(pool.db, { userId, callId });
  // The dollar stays the player's, and is lost on another question.
  expect(await balances(pool, userId)).toEqual([100, 0, 0]);
  await buildCall(pool, { userId, spotId: other.trueSpot });
  await buildCall(pool, { userId: await buildPlayer(pool), spotId: other.falseSpot });
  await closeAndResolve(pool, other, "false");
  expect(await balances(pool, userId)).toEqual([0, 0, 0]);
  expect(await refused({ userId, spotId: event.trueSpot })).toBe("insufficient");
  // A new round of it is the same question.
  await resetEvent(pool, event);
  await openEvent(pool.db, event);
  expect(await refused({ userId, spotId: event.trueSpot })).toBe("insufficient");
  // Others are open to the player.
  await buildCall(pool, { userId, spotId: (await buildOpenEvent(pool)).trueSpot });
  expect(await givenTo(userId)).toBe(200);
});

test("a dollar that comes back by a void, a skip or an admin is the player's, and a win too", async () => {
  const userId = await buildPlayer(pool, 0);
  const rich = await buildPlayer(pool);
  const [won, voided, skipped] = [
    await buildOpenEvent(pool),
    await buildOpenEvent(pool),
    await buildOpenEvent(pool),
  ];
  await buildCall(pool, { userId, spotId: voided.trueSpot });
  await closeAndResolve(pool, voided, "void");
  expect(await balances(pool, userId)).toEqual([100, 0, 0]);
  await adjust(pool, userId, -100);
  const callId = await buildCall(pool, { userId, spotId: skipped.trueSpot });
  await inTransaction(pool.db, async (tx) => {
    await destroyCall(tx, callId);
    await writeRefundAudit(tx, skipped, { destroyed: callId });
  });
  expect(await balances(pool, userId)).toEqual([100, 0, 0]);
  await adjust(pool, userId, -100);
  await buildCall(pool, { userId, spotId: won.trueSpot });
  await buildCall(pool, { userId: rich, spotId: won.falseSpot, wagerCents: 300 });
  await closeAndResolve(pool, won, "true");
  expect(await balances(pool, userId)).toEqual([400, 0, 0]);
  await expectRecomputedHistory(pool, userId);
});

test("a win that a correction takes back after it was spent is owed, and the debtor still calls with the house", async () => {
  const [userId, rich] = [await buildPlayer(pool, 0), await buildPlayer(pool)];
  const [event, spent, next, last] = [
    await buildOpenEvent(pool),
    await buildOpenEvent(pool),
    await buildOpenEvent(pool),
    await buildOpenEvent(pool),
  ];
  await buildCall(pool, { userId, spotId: event.trueSpot });
  await buildCall(pool, { userId: rich, spotId: event.falseSpot, wagerCents: 300 });
  await closeAndResolve(pool, event, "true");
  await buildCall(pool, { userId, spotId: spent.trueSpot, wagerCents: 400 });
  await buildCall(pool, { userId: rich, spotId: spent.falseSpot, wagerCents: 400 });
  await closeAndResolve(pool, spent, "false");
  await resolveEvent(pool, event, { result: "false", reason: "Looked at it again" });
  expect(await balances(pool, userId)).toEqual([0, 0, 400]);

  // The dollar is not taken for the debt, because the call holds it. What comes back is.
  const callId = await buildCall(pool, { userId, spotId: next.trueSpot });
  expect(await balances(pool, userId)).toEqual([100, 100, 400]);
  await cancelCall(pool.db, { userId, callId });
  expect(await balances(pool, userId)).toEqual([0, 0, 300]);
  expect(await refused({ userId, spotId: next.trueSpot })).toBe("insufficient");
  await buildCall(pool, { userId, spotId: last.trueSpot });
  await buildCall(pool, { userId: rich, spotId: last.falseSpot, wagerCents: 900 });
  await closeAndResolve(pool, last, "true");
  expect(await balances(pool, userId)).toEqual([700, 0, 0]);
  await expectRecomputedHistory(pool, userId);
});

test("money that was paid in ends it, and an account that is given up keeps its records", async () => {
  const userId = await buildPlayer(pool, 0);
  const event = await buildOpenEvent(pool);
  const { reference } = await deposit(pool, userId, 500);
  expect(reference).not.toBe("");
  await buildCall(pool, { userId, spotId: event.trueSpot });
  expect(await givenTo(userId)).toBe(0);
  const gone = await buildPlayer(pool, 0);
  await buildCall(pool, { userId: gone, spotId: event.trueSpot });
  await pool.db.execute(sql`UPDATE users SET deactivated_at = now() WHERE id = ${gone}`);
  expect(
    await refusalCodeOf(pool, () => takeBackPlayMoney(pool.db, { userId: gone, reason: "Unused" })),
  ).toBe("wrong_state");
  expect(await refused({ userId: gone, spotId: (await buildOpenEvent(pool)).trueSpot })).toBe("signed_out");
});

test("nobody else can book a grant as the house's: the ledger refuses it without its call", async () => {
  const userId = await buildPlayer(pool, 0);
  const event = await buildOpenEvent(pool);
  const grant = (idempotencyKey: string) => () =>
    grantPlayMoney(pool.db, { userId, amountCents: 100, idempotencyKey, reason: "On the house" });
  expect(await refusalCodeOf(pool, grant(`house-${userId}-${event.id}`))).toBe("invalid_amount");
  await buildCall(pool, { userId, spotId: event.trueSpot });
  expect(await refusalCodeOf(pool, grant(`house-${userId}-${event.id}`))).toBe("invalid_amount");
  expect(await refusalCodeOf(pool, grant(`house-${userId}-${event.id + 1}`))).toBe("invalid_amount");
});
