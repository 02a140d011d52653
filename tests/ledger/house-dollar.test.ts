import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { cancelCall, destroyCall } from "#db/ledger/cancel-call.ts";
import { grantPlayMoney, takeBackPlayMoney } from "#db/ledger/grant-play-money.ts";
import { listEntries } from "#db/ledger/list-entries.ts";
import { lockForGrant } from "#db/ledger/locks.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { testLedger, unique, writeRefundAudit } from "./fixtures.ts";
import { readHouseGrants } from "./house-grants.ts";
import { adjust, deposit } from "./move-money.ts";
import { expectRecomputedHistory } from "./recomputed-history.ts";

// A player without money, and without an active call, calls with the house's dollar: the ledger grants what is missing to a wager of
// at most $1.00, once for a player and event, in the statement that places the call.

const ledger = await testLedger({ poolSize: 4 });
const { pool, db } = ledger;

afterTest(() => ledger.expectToAgree());

type Asked = Parameters<typeof ledger.place>[0];
/** All calls of these tests ask the house. */
const placeCall = (call: Asked) => ledger.place({ onTheHouse: true, ...call });
const buildCall = (call: Asked) => ledger.call({ onTheHouse: true, ...call });
const refused = (call: Asked) => ledger.refusedCall({ onTheHouse: true, ...call });
const givenTo = (userId: number) => readHouseGrants(pool, userId);

test.each([
  [0, 100, 100],
  [0, 1, 1],
  [99, 100, 1],
  [40, 41, 1],
])("with %d cents a call of %d is placed with %d of the house", async (hasCents, wagerCents, givenCents) => {
  const userId = await ledger.player(hasCents);
  const event = await ledger.openEvent();
  const call = { userId, spotId: event.trueSpot, wagerCents, idempotencyKey: "housed" };
  const { details } = await placeCall(call);
  expect(details).toMatchObject({ wagerCents, availableCents: 0, heldCents: wagerCents });
  expect(await givenTo(userId)).toBe(givenCents);
  expect(await ledger.balances(userId)).toEqual([wagerCents, wagerCents, 0]);
  // The same request again is the same call, and the house gives nothing more.
  expect(await placeCall(call)).toMatchObject({ code: "replayed", callId: details?.id });
  expect(await ledger.balances(userId)).toEqual([wagerCents, wagerCents, 0]);
  const { transactions } = await listEntries(db, { userId, limit: 2, offset: 0 });
  expect(transactions).toMatchObject([
    { kind: "hold", amountCents: -wagerCents, availableAfterCents: 0 },
    { kind: "grant", amountCents: givenCents, reason: "On the house", eventTitle: "Will it?" },
  ]);
  await expectRecomputedHistory(pool, userId);
});

test("in a batch each call asks for itself", async () => {
  const [asks, doesNot] = [await ledger.player(40), await ledger.player(40)];
  const { trueSpot: spotId } = await ledger.openEvent();
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
  const [rich, broke] = [await ledger.player(100), await ledger.player(99)];
  const event = await ledger.openEvent();
  expect(await refused({ userId: broke, spotId: event.trueSpot, wagerCents: 101 })).toBe("insufficient");
  expect(await refused({ userId: rich, spotId: event.trueSpot, wagerCents: 101 })).toBe("insufficient");
  await buildCall({ userId: broke, spotId: event.trueSpot, wagerCents: 99 });
  await buildCall({ userId: rich, spotId: event.trueSpot, wagerCents: 100 });
  expect([await givenTo(rich), await givenTo(broke)]).toEqual([0, 0]);
});

test("who holds a call gets nothing, on the same question or on another", async () => {
  const userId = await ledger.player(0);
  const [event, other] = [await ledger.openEvent(), await ledger.openEvent()];
  await buildCall({ userId, spotId: event.trueSpot });
  expect(await refused({ userId, spotId: event.falseSpot })).toBe("insufficient");
  expect(await refused({ userId, spotId: other.trueSpot, wagerCents: 1 })).toBe("insufficient");
  await ledger.close(event);
  expect(await refused({ userId, spotId: other.trueSpot })).toBe("insufficient");
});

test("a question that takes no call, or not this one, costs the house nothing", async () => {
  const userId = await ledger.player(0);
  const sessionId = await ledger.session();
  const large = await ledger.openEvent({ sessionId, minWagerCents: 200 });
  const small = await ledger.openEvent({ sessionId, maxWagerCents: 50 });
  const late = await ledger.openEvent({ sessionId, closesInMs: -1 });
  expect(await refused({ userId, spotId: large.trueSpot })).toBe("below_min");
  expect(await refused({ userId, spotId: small.trueSpot })).toBe("over_max");
  expect(await refused({ userId, spotId: late.trueSpot })).toBe("late");
  await db.execute(sql`UPDATE sessions SET state = 'paused', paused_at = now() WHERE id = ${sessionId}`);
  expect(await refused({ userId, spotId: small.trueSpot, wagerCents: 50 })).toBe("paused");
  await db.execute(sql`UPDATE sessions SET state = 'running', paused_at = NULL WHERE id = ${sessionId}`);
  await buildCall({ userId, spotId: small.trueSpot, wagerCents: 50 });
});

test("the house gives once for a question, whatever became of the call", async () => {
  const userId = await ledger.player(0);
  const [event, other] = [await ledger.openEvent(), await ledger.openEvent()];
  const callId = await buildCall({ userId, spotId: event.trueSpot });
  await cancelCall(db, { userId, callId });
  // The dollar stays the player's, and is lost on another question.
  expect(await ledger.balances(userId)).toEqual([100, 0, 0]);
  await buildCall({ userId, spotId: other.trueSpot });
  await buildCall({ userId: await ledger.player(), spotId: other.falseSpot });
  await ledger.settle(other, "false");
  expect(await ledger.balances(userId)).toEqual([0, 0, 0]);
  expect(await refused({ userId, spotId: event.trueSpot })).toBe("insufficient");
  // A new round of it is the same question.
  await ledger.reset(event);
  await ledger.open(event);
  expect(await refused({ userId, spotId: event.trueSpot })).toBe("insufficient");
  // Others are open to the player.
  await buildCall({ userId, spotId: (await ledger.openEvent()).trueSpot });
  expect(await givenTo(userId)).toBe(200);
});

test("a dollar that comes back by a void, a skip or an admin is the player's, and a win too", async () => {
  const userId = await ledger.player(0);
  const rich = await ledger.player();
  const [won, voided, skipped] = [
    await ledger.openEvent(),
    await ledger.openEvent(),
    await ledger.openEvent(),
  ];
  await buildCall({ userId, spotId: voided.trueSpot });
  await ledger.settle(voided, "void");
  expect(await ledger.balances(userId)).toEqual([100, 0, 0]);
  await adjust(pool, userId, -100);
  const callId = await buildCall({ userId, spotId: skipped.trueSpot });
  await inTransaction(db, async (tx) => {
    await destroyCall(tx, callId);
    await writeRefundAudit(tx, skipped, { destroyed: callId });
  });
  expect(await ledger.balances(userId)).toEqual([100, 0, 0]);
  await adjust(pool, userId, -100);
  await buildCall({ userId, spotId: won.trueSpot });
  await buildCall({ userId: rich, spotId: won.falseSpot, wagerCents: 300 });
  await ledger.settle(won, "true");
  expect(await ledger.balances(userId)).toEqual([400, 0, 0]);
  await expectRecomputedHistory(pool, userId);
});

test("a win that a correction takes back after it was spent is owed, and the debtor still calls with the house", async () => {
  const [userId, rich] = [await ledger.player(0), await ledger.player()];
  const [event, spent, next, last] = [
    await ledger.openEvent(),
    await ledger.openEvent(),
    await ledger.openEvent(),
    await ledger.openEvent(),
  ];
  await buildCall({ userId, spotId: event.trueSpot });
  await buildCall({ userId: rich, spotId: event.falseSpot, wagerCents: 300 });
  await ledger.settle(event, "true");
  await buildCall({ userId, spotId: spent.trueSpot, wagerCents: 400 });
  await buildCall({ userId: rich, spotId: spent.falseSpot, wagerCents: 400 });
  await ledger.settle(spent, "false");
  await ledger.resolve(event, { result: "false", reason: "Looked at it again" });
  expect(await ledger.balances(userId)).toEqual([0, 0, 400]);

  // The dollar is not taken for the debt, because the call holds it. What comes back is.
  const callId = await buildCall({ userId, spotId: next.trueSpot });
  expect(await ledger.balances(userId)).toEqual([100, 100, 400]);
  await cancelCall(db, { userId, callId });
  expect(await ledger.balances(userId)).toEqual([0, 0, 300]);
  expect(await refused({ userId, spotId: next.trueSpot })).toBe("insufficient");
  await buildCall({ userId, spotId: last.trueSpot });
  await buildCall({ userId: rich, spotId: last.falseSpot, wagerCents: 900 });
  await ledger.settle(last, "true");
  expect(await ledger.balances(userId)).toEqual([700, 0, 0]);
  await expectRecomputedHistory(pool, userId);
});

test("money that was paid in ends it, and an account that is given up keeps its records", async () => {
  const userId = await ledger.player(0);
  const event = await ledger.openEvent();
  const { reference } = await deposit(pool, userId, 500);
  expect(reference).not.toBe("");
  await buildCall({ userId, spotId: event.trueSpot });
  expect(await givenTo(userId)).toBe(0);
  const gone = await ledger.player(0);
  await buildCall({ userId: gone, spotId: event.trueSpot });
  await db.execute(sql`UPDATE users SET deactivated_at = now() WHERE id = ${gone}`);
  expect(await ledger.refusalOf(() => takeBackPlayMoney(db, { userId: gone, reason: "Unused" }))).toBe(
    "wrong_state",
  );
  expect(await refused({ userId: gone, spotId: (await ledger.openEvent()).trueSpot })).toBe("signed_out");
});

test("nobody else can book a grant as the house's: the ledger refuses it without its call", async () => {
  const userId = await ledger.player(0);
  const event = await ledger.openEvent();
  const grant = (idempotencyKey: string) => () =>
    grantPlayMoney(db, { userId, amountCents: 100, idempotencyKey, reason: "On the house" });
  expect(await ledger.refusalOf(grant(`house-${userId}-${event.id}`))).toBe("invalid_amount");
  await buildCall({ userId, spotId: event.trueSpot });
  expect(await ledger.refusalOf(grant(`house-${userId}-${event.id}`))).toBe("invalid_amount");
  expect(await ledger.refusalOf(grant(`house-${userId}-${event.id + 1}`))).toBe("invalid_amount");
});

test("two devices, two questions and one batch get one dollar", async () => {
  const [one, two] = [await ledger.player(0), await ledger.player(60)];
  const [event, other] = [await ledger.openEvent(), await ledger.openEvent()];
  const callOf = (userId: number, spotId: number, wagerCents = 100) => ({
    userId,
    spotId,
    wagerCents,
    idempotencyKey: `key-${unique()}`,
    onTheHouse: true,
  });
  const batch = await placeCalls(pool, [
    callOf(one, event.trueSpot),
    callOf(two, event.trueSpot, 60),
    callOf(one, other.trueSpot),
    callOf(two, other.trueSpot),
    callOf(one, event.falseSpot, 1),
  ]);
  expect(batch.map(({ code }) => code)).toEqual([
    "placed",
    "placed",
    "insufficient",
    "insufficient",
    "insufficient",
  ]);
  expect([await givenTo(one), await givenTo(two)]).toEqual([100, 0]);
  const three = await ledger.player(0);
  const race = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      ledger.place({ userId: three, spotId: (n % 2 === 0 ? event : other).trueSpot, onTheHouse: true }),
    ),
  );
  expect(race.filter(({ code }) => code === "placed")).toHaveLength(1);
  expect(await ledger.balances(three)).toEqual([100, 100, 0]);
});

test("many players without money call at once, and each gets a dollar", async () => {
  const players = await Promise.all(Array.from({ length: 24 }, () => ledger.player(0)));
  const event = await ledger.openEvent();
  const codes = await Promise.all(
    players.map((userId, n) =>
      ledger.place({ userId, spotId: n % 3 === 0 ? event.trueSpot : event.falseSpot, onTheHouse: true }),
    ),
  );
  expect(codes.filter(({ code }) => code === "placed")).toHaveLength(24);
  await ledger.settle(event, "true");
  const first = players[0] ?? 0;
  expect(await ledger.balances(first)).toEqual([300, 0, 0]);
});

test("a call waits for no other grant: it is busy meanwhile, and nothing has changed", async () => {
  const userId = await ledger.player(0);
  const [other, rich] = [await ledger.player(0), await ledger.player(500)];
  const event = await ledger.openEvent();
  const callOf = (player: number) => ({
    userId: player,
    spotId: event.trueSpot,
    wagerCents: 100,
    idempotencyKey: "waits",
    onTheHouse: true,
  });
  await inTransaction(db, async (tx) => {
    await lockForGrant(tx, other);
    const answers = await placeCalls(pool, [callOf(userId), callOf(rich)]);
    expect(answers.map(({ code, callId }) => [code, callId === null])).toEqual([
      ["busy", true],
      ["placed", false],
    ]);
  });
  expect(await ledger.balances(userId)).toEqual([0, 0, 0]);
  await ledger.call(callOf(userId));
});

test("with a top-up at the same time a player gets one of the two, or the top-up after the other", async () => {
  const userId = await ledger.player(0);
  const event = await ledger.openEvent();
  const today = new Date().toISOString().slice(0, 10);
  const topUp = () =>
    grantPlayMoney(db, {
      userId,
      amountCents: 1_000,
      idempotencyKey: `top-up-${userId}-${today}`,
      reason: "Top-up",
    });
  const [, topped] = await Promise.all([
    ledger.call({ userId, spotId: event.trueSpot, onTheHouse: true }),
    topUp().then(
      () => true,
      () => false,
    ),
  ]);
  expect(await givenTo(userId)).toBe(topped ? 0 : 100);
  expect(await ledger.balances(userId)).toEqual(topped ? [1_000, 100, 0] : [100, 100, 0]);
  if (!topped) expect(await ledger.refusalOf(topUp)).toBe("invalid_amount");
});
