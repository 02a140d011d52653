import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import * as v from "valibot";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { queryRows, wholeNumber } from "#db/ledger/query.ts";
import { unique, testLedger } from "./fixtures.ts";

const RUNS = 60;
const line = v.object({
  wagerCents: wholeNumber,
  payoutCents: wholeNumber,
  side: v.string(),
  outcome: v.picklist(["won", "lost", "refunded"]),
  early: v.boolean(),
});
type Line = v.InferOutput<typeof line>;

const ledger = await testLedger();
const { pool, db } = ledger;
const player = await ledger.player(1_000_000_000_000);

/** The payouts of a settlement, without writing it. */
async function preview(
  wagers: readonly Wager[],
  how: { result: string; countedShare: number },
): Promise<Line[]> {
  const event = await ledger.openEvent();
  const idempotencyKey = () => `payout-${unique()}`;
  for (const batch of [
    wagers.slice(0, cut(wagers, how.countedShare)),
    wagers.slice(cut(wagers, how.countedShare)),
  ]) {
    const calls = batch.map(({ side, wagerCents }) => ({
      userId: player,
      spotId: side === "true" ? event.trueSpot : event.falseSpot,
      wagerCents,
      idempotencyKey: idempotencyKey(),
    }));
    await placeCalls(pool, calls);
  }
  await ledger.close(event);
  return queryRows(
    db,
    line,
    sql`WITH bound AS (SELECT max(id) AS id, count(*) AS n FROM (
        SELECT id FROM calls WHERE event_id = ${event.id} ORDER BY id LIMIT ${cut(wagers, how.countedShare)}) q),
      effective AS (SELECT (SELECT min(placed_at) FROM calls WHERE event_id = ${event.id}
        AND id > coalesce((SELECT id FROM bound), 0)) AS at)
      SELECT c.wager_cents AS "wagerCents", p.payout_cents AS "payoutCents", s.side, p.outcome,
        coalesce(c.placed_at < (SELECT at FROM effective), true) AS early
      FROM payouts(${event.id}, 1, ${how.result}, (SELECT at FROM effective)) p
        JOIN calls c ON c.id = p.call_id JOIN spots s ON s.id = c.spot_id ORDER BY c.id`,
  );
}

type Wager = { side: string; wagerCents: number };
const cut = (wagers: readonly unknown[], share: number) => Math.floor(wagers.length * share);
const sum = (lines: readonly Line[], of: "wagerCents" | "payoutCents") =>
  lines.reduce((total, each) => total + each[of], 0);

const wager = fc.record({
  side: fc.constantFrom("true", "false"),
  wagerCents: fc.oneof(
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 1, max: 20_000 }),
    fc.integer({ min: 1, max: 100_000_000 }),
  ),
});

test("payouts are exact to the cent, fair to the cent, and never less than the wager for a winner", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(wager, { minLength: 1, maxLength: 40 }),
      fc.constantFrom("true", "false", "void"),
      fc.constantFrom(1, 1, 0.5, 0),
      async (wagers, result, countedShare) => {
        const lines = await preview(wagers, { result, countedShare });
        expect(lines).toHaveLength(wagers.length);
        expect(sum(lines, "payoutCents")).toBe(sum(lines, "wagerCents"));
        expectFair(lines, result);
      },
    ),
    { numRuns: RUNS },
  );
  await ledger.expectToAgree();
});

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
