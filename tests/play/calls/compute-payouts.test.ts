import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import * as v from "valibot";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { queryRows, wholeNumber } from "#db/ledger/query.ts";
import type { StakedCall } from "#src/play/calls/compute-payouts.ts";
import { computePayouts } from "#tests/ledger/compute-payouts.ts";
import { buildDraft, buildPlayer, openEvent, type BuiltEvent, unique } from "#tests/ledger/fixtures.ts";
import { testDatabase } from "#tests/support/database.ts";

const RUNS = 60;
const row = v.object({
  callId: wholeNumber,
  side: v.picklist(["true", "false"]),
  wagerCents: wholeNumber,
  placedAtUs: wholeNumber,
});
const paid = v.object({
  callId: wholeNumber,
  payoutCents: wholeNumber,
  outcome: v.picklist(["won", "lost", "refunded"]),
});

const database = await testDatabase();
const player = await buildPlayer(database.pool, 1_000_000_000_000);

type Wager = { side: "true" | "false"; wagerCents: number };
const wager = fc.record({
  side: fc.constantFrom("true" as const, "false" as const),
  wagerCents: fc.oneof(
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 1, max: 20_000 }),
    fc.integer({ min: 1, max: 100_000_000 }),
  ),
});

/** An open event with these calls, each batch at a different time. */
async function buildCalls(batches: readonly Wager[][]): Promise<BuiltEvent> {
  const event = await buildDraft(database.pool);
  await openEvent(database.pool.db, event);
  for (const batch of batches) {
    const calls = batch.map(({ side, wagerCents }) => ({
      userId: player,
      spotId: side === "true" ? event.trueSpot : event.falseSpot,
      wagerCents,
      idempotencyKey: `formula-${unique()}`,
    }));
    await placeCalls(database.pool, calls);
  }
  return event;
}

const readCalls = (event: BuiltEvent): Promise<StakedCall[]> =>
  queryRows(
    database.pool.db,
    row,
    sql`SELECT c.id AS "callId", s.side, c.wager_cents AS "wagerCents",
      (extract(epoch FROM c.placed_at) * 1000000)::bigint AS "placedAtUs"
      FROM calls c JOIN spots s ON s.id = c.spot_id WHERE c.event_id = ${event.id} ORDER BY c.id`,
  );

test("the formula in TypeScript and the one in SQL agree to the cent", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(wager, { minLength: 1, maxLength: 30 }),
      fc.array(wager, { maxLength: 10 }),
      fc.constantFrom("true" as const, "false" as const, "void" as const),
      fc.boolean(),
      async (early, late, result, cut) => {
        const event = await buildCalls([early, late]);
        const calls = await readCalls(event);
        const effectiveAtUs = cut ? (calls[early.length]?.placedAtUs ?? null) : null;
        const expected = await queryRows(
          database.pool.db,
          paid,
          sql`SELECT call_id AS "callId", payout_cents AS "payoutCents", outcome FROM payouts(${event.id}, 1, ${result},
            CASE WHEN ${effectiveAtUs}::bigint IS NULL THEN NULL
              ELSE 'epoch'::timestamptz + ${effectiveAtUs}::bigint * interval '1 microsecond' END) ORDER BY call_id`,
        );
        const computed = computePayouts(calls, { result, effectiveAtUs });
        expect([...computed].map(([callId, payout]) => ({ callId, ...payout }))).toEqual(expected);
      },
    ),
    { numRuns: RUNS },
  );
}, 180_000);
