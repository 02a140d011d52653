import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { queryRows, wholeNumber } from "#db/ledger/query.ts";
import { payoutBy } from "#src/play/calls/contract.ts";
import { findEventViews } from "#src/show/events/find-event-views.ts";
import { computePayouts } from "./compute-payouts.ts";
import { type Result, testLedger, unique } from "./fixtures.ts";

const RUNS = 80;
const call = v.object({
  callId: wholeNumber,
  side: v.picklist(["true", "false"]),
  wagerCents: wholeNumber,
  placedAtUs: wholeNumber,
});
const payout = v.object({
  callId: wholeNumber,
  payoutCents: wholeNumber,
  outcome: v.picklist(["won", "lost", "refunded"]),
});
/** `early`: placed before the effective moment. */
type Line = v.InferOutput<typeof call> & v.InferOutput<typeof payout> & { early: boolean };

const ledger = await testLedger();
const { pool, db } = ledger;
const player = await ledger.player(1_000_000_000_000);

const sides = ["true", "false"] as const;
const wager = fc.record({
  side: fc.constantFrom(...sides),
  wagerCents: fc.oneof(
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 1, max: 20_000 }),
    fc.integer({ min: 1, max: 100_000_000 }),
  ),
});
type Wager = { side: (typeof sides)[number]; wagerCents: number };

/** Places these calls on a new event, those that count before the others. @returns its id, and the calls. */
async function placeAll(wagers: readonly Wager[], counted: number) {
  const event = await ledger.openEvent();
  for (const batch of [wagers.slice(0, counted), wagers.slice(counted)]) {
    const calls = batch.map(({ side, wagerCents }) => ({
      userId: player,
      spotId: side === "true" ? event.trueSpot : event.falseSpot,
      wagerCents,
      idempotencyKey: `payout-${unique()}`,
    }));
    await placeCalls(pool, calls);
  }
  const calls = await queryRows(db, call)`SELECT c.id AS "callId", s.side, c.wager_cents AS "wagerCents",
    (extract(epoch FROM c.placed_at) * 1000000)::bigint AS "placedAtUs"
    FROM calls c JOIN spots s ON s.id = c.spot_id WHERE c.event_id = ${event.id} ORDER BY c.id`;
  return { event, calls };
}

/** The payouts of a settlement by the formula in SQL, without writing it. */
function payoutsOf(
  eventId: number,
  { result, effectiveAtUs }: { result: Result; effectiveAtUs: number | null },
) {
  return queryRows(db, payout)`
    SELECT call_id AS "callId", payout_cents AS "payoutCents", outcome FROM payouts(${eventId}, 1, ${result},
    CASE WHEN ${effectiveAtUs}::bigint IS NULL THEN NULL
      ELSE 'epoch'::timestamptz + ${effectiveAtUs}::bigint * interval '1 microsecond' END) ORDER BY call_id`;
}

const sum = (lines: readonly Line[], of: "wagerCents" | "payoutCents") =>
  lines.reduce((total, each) => total + each[of], 0);

test("payouts are exact to the cent, fair to the cent, and never less than the wager for a winner, in SQL and in TypeScript alike", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(wager, { minLength: 1, maxLength: 40 }),
      fc.constantFrom<Result>("true", "false", "void"),
      fc.constantFrom(1, 1, 0.5, 0),
      async (wagers, result, countedShare) => {
        const counted = Math.floor(wagers.length * countedShare);
        const { event, calls } = await placeAll(wagers, counted);
        const effectiveAtUs = calls[counted]?.placedAtUs ?? null;
        const paid = await payoutsOf(event.id, { result, effectiveAtUs });
        const computed = computePayouts(calls, { result, effectiveAtUs });
        expect([...computed].map(([callId, each]) => ({ callId, ...each }))).toEqual(paid);
        const lines = calls.flatMap((each, index): Line[] => {
          const of = paid[index];
          return of === undefined
            ? []
            : [{ ...each, ...of, early: effectiveAtUs === null || each.placedAtUs < effectiveAtUs }];
        });
        expect(lines).toHaveLength(wagers.length);
        expect(sum(lines, "payoutCents")).toBe(sum(lines, "wagerCents"));
        expectFair(lines, result);
      },
    ),
    { numRuns: RUNS },
  );
  await ledger.expectToAgree();
}, 180_000);

test("from what an event says of its result, the payout of any one call is known to the cent before it is paid", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(wager, { minLength: 1, maxLength: 40 }),
      fc.constantFrom<Result>("true", "false", "void"),
      async (wagers, result) => {
        const { event, calls } = await placeAll(wagers, wagers.length);
        await ledger.close(event);
        await ledger.decide(event, { result });
        const decided = await payoutsOf(event.id, { result, effectiveAtUs: null });
        const terms = await termsOf(event);
        if (terms === undefined) throw new Error("the event does not say what its result pays");
        const known = calls.map(({ callId, ...each }) => {
          const { outcome, payoutCents } = payoutBy(terms, { ...each, id: callId });
          return { callId, payoutCents, outcome };
        });
        expect(known).toEqual(decided);
        expect(terms.refundReason !== null).toBe(decided.every(({ outcome }) => outcome === "refunded"));
      },
    ),
    { numRuns: RUNS },
  );
  await ledger.expectToAgree();
}, 180_000);

test("an event says what its result pays until all are paid, and of its first result alone", async () => {
  const { event } = await placeAll(evenSides, 4);
  await ledger.close(event);
  expect(await termsOf(event)).toBeUndefined();
  await ledger.decide(event, { result: "true" });
  expect(await termsOf(event)).toMatchObject({ outcomes: { true: "won", false: "lost" }, poolCents: 400 });
  await ledger.decide(event, { result: "false", reason: "The replay shows it" });
  expect(await termsOf(event)).toBeUndefined();
  await ledger.resolve(event, { result: "true", reason: "It does not" });
  expect(await termsOf(event)).toBeUndefined();
  await ledger.expectToAgree();
});

test("an event does not say what its result pays where calls came after the moment that decided it", async () => {
  const { event, calls } = await placeAll(evenSides, 2);
  await ledger.close(event);
  await ledger.decide(event, { result: "true", effectiveAt: new Date((calls[2]?.placedAtUs ?? 0) / 1_000) });
  expect(await termsOf(event)).toBeUndefined();
});

test("an event does not say what its result pays where an older release has decided it", async () => {
  const { event } = await placeAll(evenSides, 4);
  await ledger.close(event);
  await ledger.decide(event, { result: "true" });
  await inTransaction(db, async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(
      sql`UPDATE settlements SET last_remainder = NULL, last_call_id = NULL WHERE event_id = ${event.id}`,
    );
  });
  expect(await termsOf(event)).toBeUndefined();
});

const evenSides = (["true", "false", "true", "false"] as const).map((side) => ({ side, wagerCents: 100 }));

async function termsOf({ id }: { id: number }) {
  const filter = { eventIds: [id], viewerId: null, publishedOnly: false, now: new Date() };
  const [view] = await findEventViews(db, filter);
  return view?.payoutTerms;
}

function expectFair(lines: readonly Line[], result: string): void {
  const counted = lines.filter(({ early }) => early && result !== "void");
  const winners = counted.filter(({ side }) => side === result);
  const decided = winners.length > 0 && winners.length < counted.length;
  for (const each of lines) {
    if (!decided || !counted.includes(each)) {
      expect(each).toMatchObject({ outcome: "refunded", payoutCents: each.wagerCents });
    } else if (!winners.includes(each)) {
      expect(each).toMatchObject({ outcome: "lost", payoutCents: 0 });
    } else {
      expect(each.outcome).toBe("won");
      expect(each.payoutCents).toBeGreaterThanOrEqual(each.wagerCents);
    }
  }
  if (!decided) return;
  const [pool, winning] = [BigInt(sum(counted, "wagerCents")), BigInt(sum(winners, "wagerCents"))];
  for (const { wagerCents, payoutCents } of winners) {
    const floor = Number((pool * BigInt(wagerCents)) / winning);
    expect([floor, floor + 1]).toContain(payoutCents);
  }
  // Remaining cents go to the larger remainders, then to the earlier calls.
  const extra = winners.map(({ wagerCents, payoutCents }) => ({
    remainder: (pool * BigInt(wagerCents)) % winning,
    got: BigInt(payoutCents) > (pool * BigInt(wagerCents)) / winning,
  }));
  const ranked = extra.toSorted(
    (a, b) => Number(b.remainder > a.remainder) - Number(b.remainder < a.remainder),
  );
  const firstWithout = ranked.findIndex(({ got }) => !got);
  expect(ranked.slice(firstWithout === -1 ? ranked.length : firstWithout).some(({ got }) => got)).toBe(false);
}
