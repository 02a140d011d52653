import { expect } from "bun:test";
import { asc, inArray } from "drizzle-orm";
import { settlements } from "#db/schema/ledger.ts";
import { checkShow, listShowCalls, type ShowCall } from "#src/dry-runs/simulate/check-show.ts";
import { payOut, type Stake } from "./expected-payouts.ts";
import type { World } from "./world.ts";

/** Checks all invariants of a world, which hold at every moment; throws at the first violation. */
export async function checkWorld(world: World): Promise<void> {
  const violations = Object.entries(await checkShow(world)).filter(([, found]) => found.length > 0);
  expect(violations).toEqual([]);
  await checkSettlements(world, await listShowCalls(world));
}

async function checkSettlements({ deps, eventIds }: World, all: readonly ShowCall[]): Promise<void> {
  const live = await deps.pool.db
    .select()
    .from(settlements)
    .where(inArray(settlements.eventId, eventIds))
    .orderBy(asc(settlements.id));
  for (const { eventId, round, result, effectiveAt, superseded } of live) {
    if (superseded) continue;
    const settled = all.filter(
      (call) => call.eventId === eventId && call.round === round && call.state === "resolved",
    );
    const stakes = settled.map(({ id, side, wagerCents, placedAt }): Stake => {
      return { id, side, wagerCents, placedMs: placedAt.getTime() };
    });
    const paid = payOut(stakes, { result, effectiveMs: effectiveAt?.getTime() ?? null });
    for (const { id, payoutCents, outcome } of settled) {
      expect({ payoutCents, outcome }).toEqual(paid.get(id) ?? { payoutCents: 0, outcome: "lost" });
    }
  }
}
