import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { listUnpaidSettlements } from "#db/ledger/list-settlements.ts";
import { type PaidPlayer, paySettlementPart } from "#db/ledger/pay-settlement-part.ts";
import { queryRows, wholeNumber } from "#db/ledger/query.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { payInParts } from "#tests/support/database.ts";
import { roundsOf } from "#tests/support/rounds.ts";
import { computePayouts } from "./compute-payouts.ts";
import { type Result, type BuiltEvent, testLedger } from "./fixtures.ts";
import { expectRecomputedHistory } from "./recomputed-history.ts";

const RUNS = roundsOf({ daily: 2, many: 40 });
const RICH_CENTS = 1_000_000;

const ledger = await testLedger();
const { pool, db } = ledger;
await payInParts(pool, { atOnceMax: 2, partMax: 3 });
/** Ordered by id. */
const players: number[] = [];
for (let n = 0; n < 6; n += 1) players.push(await ledger.player(RICH_CENTS));

type Staked = { player: number; side: "true" | "false"; wagerCents: number };

async function buildClosed(stakes: readonly Staked[]): Promise<BuiltEvent> {
  const event = await ledger.openEvent();
  for (const { player, side, wagerCents } of stakes) {
    const spotId = side === "true" ? event.trueSpot : event.falseSpot;
    await ledger.call({ userId: players[player] ?? 0, spotId, wagerCents });
  }
  await ledger.close(event);
  return event;
}

/** Pays a part. Returns its players. */
const payPart = async ({ id }: BuiltEvent, callsMax: number | null = null) => {
  const part = await inTransaction(db, (tx) => paySettlementPart(tx, id, { callsMax }));
  return part?.players ?? [];
};

/** Pays all parts; the books and the histories agree before the first and after each. */
async function payAll(event: BuiltEvent, callsMax: number | null = null): Promise<PaidPlayer[][]> {
  const parts: PaidPlayer[][] = [];
  for (;;) {
    await ledger.expectToAgree();
    for (const userId of players) await expectRecomputedHistory(pool, userId);
    const part = await payPart(event, callsMax);
    if (part.length === 0) return parts;
    parts.push(part);
  }
}

const paidCall = v.object({
  callId: wholeNumber,
  userId: wholeNumber,
  side: v.picklist(["true", "false"]),
  wagerCents: wholeNumber,
  placedAtUs: wholeNumber,
  state: v.string(),
  payoutCents: v.nullable(wholeNumber),
});

function readCalls(event: BuiltEvent) {
  return queryRows(db, paidCall)`
    SELECT c.id AS "callId", c.user_id AS "userId", s.side, c.wager_cents AS "wagerCents", 0 AS "placedAtUs", c.state,
      c.payout_cents AS "payoutCents"
    FROM calls c JOIN spots s ON s.id = c.spot_id WHERE c.event_id = ${event.id} ORDER BY c.id`;
}

const spread: Staked[] = [
  { player: 0, side: "true", wagerCents: 300 },
  { player: 1, side: "false", wagerCents: 100 },
  { player: 2, side: "false", wagerCents: 70 },
  { player: 3, side: "true", wagerCents: 20 },
  { player: 3, side: "false", wagerCents: 20 },
  { player: 4, side: "true", wagerCents: 1 },
  { player: 5, side: "true", wagerCents: 7 },
];

test("a large settlement is decided at once and paid in parts of whole players, the highest ids first", async () => {
  const event = await buildClosed(spread);
  const [poor = 0] = players;
  const before = await ledger.balances(poor);
  const settlementId = await ledger.decide(event, { result: "true" });
  // All payouts are decided, and none is paid.
  expect(await ledger.balances(poor)).toEqual(before);
  expect(new Set((await readCalls(event)).map(({ state }) => state))).toEqual(new Set(["closed"]));
  expect(await listUnpaidSettlements(db)).toMatchObject([
    { eventId: event.id, callsCount: 7, paidCallsCount: 0 },
  ]);
  const parts = await payAll(event);
  expect(parts.map((part) => part.map(({ userId }) => players.indexOf(userId)))).toEqual([
    [4, 5],
    [2, 3],
    [0, 1],
  ]);
  expect(await listUnpaidSettlements(db)).toEqual([]);
  const [posted, held] = before;
  // 518 x 300 / 328, and one of the remaining cents.
  expect(await ledger.balances(poor)).toEqual([posted + 474 - 300, held - 300, 0]);
  const written = await db.execute(
    sql`SELECT payload FROM outbox WHERE kind = 'event_settled' AND payload->>'settlementId' = ${settlementId}::text
      ORDER BY id`,
  );
  const facts = { eventId: event.id, settlementId, round: 1 };
  expect([...written].map(({ payload }: Record<string, unknown>) => payload)).toEqual([
    { ...facts, fromUserId: players[4], toUserId: players[5] },
    { ...facts, fromUserId: players[2], toUserId: players[3] },
    { ...facts, fromUserId: players[0], toUserId: players[1] },
  ]);
});

test("a player with more calls than the size of a part is one part", async () => {
  const own = Array.from({ length: 5 }, () => ({ player: 3, side: "true" as const, wagerCents: 10 }));
  const event = await buildClosed([...own, { player: 1, side: "false", wagerCents: 10 }]);
  await ledger.decide(event, { result: "false" });
  const parts = await payAll(event);
  expect(parts.map((part) => part.map(({ userId }) => players.indexOf(userId)))).toEqual([[3], [1]]);
});

test("paying a paid settlement changes nothing", async () => {
  const event = await buildClosed(spread);
  await ledger.decide(event, { result: "true" });
  await payPart(event);
  await ledger.decide(event, { result: "false", reason: "The other one" });
  await payAll(event);
  const paid = await digestTables(db);
  expect(await payPart(event)).toEqual([]);
  expect(await digestTables(db)).toBe(paid);
});

test("ten concurrent payers pay every player once", async () => {
  const event = await buildClosed(spread);
  await ledger.decide(event, { result: "true" });
  const parts = await Promise.all(Array.from({ length: 10 }, () => payPart(event, 1)));
  const paid = parts.flat().map(({ userId }) => userId);
  expect(paid.toSorted((one, other) => one - other)).toEqual(players);
  await ledger.expectToAgree();
});

test("a settlement's progress cannot be overwritten", async () => {
  const event = await buildClosed(spread);
  const settlementId = await ledger.decide(event, { result: "true" });
  const set = (change: string) =>
    ledger.violation(`UPDATE settlements SET ${change} WHERE id = ${settlementId}`);
  expect(await set("paid_at = now()")).toBe("settlements_paid");
  expect(await set("paid_calls_count = 8")).toBe("settlements_paid_calls");
  expect(await set("calls_count = 8")).toMatch("illegal change of settlements");
  await payPart(event);
  expect(await set("paid_calls_count = 1")).toMatch("illegal change of settlements");
  expect(await set("paid_from_user_id = NULL")).toMatch("illegal change of settlements");
  await payAll(event);
});

const stake = fc.record({
  player: fc.integer({ min: 0, max: 5 }),
  side: fc.constantFrom<Staked["side"]>("true", "false"),
  wagerCents: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 2_000 })),
});
const results = fc.constantFrom<Result>("true", "false", "void");

test("parts of any size, with or without a correction, pay the exact sums of the formula", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stake, { minLength: 3, maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      results,
      fc.option(fc.tuple(fc.integer({ min: 0, max: 3 }), results)),
      async (stakes, callsMax, decided, correction) => {
        const event = await buildClosed(stakes);
        await ledger.decide(event, { result: decided });
        for (let n = 0; n < (correction?.[0] ?? 0); n += 1) await payPart(event, callsMax);
        const result = correction?.[1] ?? decided;
        await ledger.decide(event, { result, reason: "Looked again" });
        await payAll(event, callsMax);
        const calls = await readCalls(event);
        const expected = computePayouts(calls, { result, effectiveAtUs: null });
        const paid = calls.map(({ callId, payoutCents }) => [callId, payoutCents]);
        expect<unknown>(paid).toEqual(calls.map(({ callId }) => [callId, expected.get(callId)?.payoutCents]));
        const sum = (amounts: readonly (number | null)[]) =>
          amounts.reduce<number>((all, each) => all + (each ?? 0), 0);
        expect(sum(calls.map(({ payoutCents }) => payoutCents))).toBe(
          sum(calls.map(({ wagerCents }) => wagerCents)),
        );
      },
    ),
    { numRuns: RUNS },
  );
});
