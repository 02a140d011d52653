import { expect } from "bun:test";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { nameOf } from "#src/dry-runs/simulate/show.ts";
import { paySettlement } from "#src/play/settlements/pay-settlement.ts";
import { listDifferences } from "#tests/support/books.ts";
import { record, type World } from "./world.ts";

/** Pays a part of a settlement now and then. The books agree between two parts. */
export async function maybePayPart(world: World): Promise<void> {
  const { deps, dice } = world;
  if (dice.chance(0.4)) return;
  const [unpaid] = await listUnpaidSettlements(deps.pool.db, world.eventIds);
  if (unpaid === undefined) return;
  if (dice.chance(0.2)) expect(await listDifferences(deps.pool.db)).toEqual([]);
  const progress = await paySettlement(deps, unpaid.eventId, { budgetMs: 0 });
  record(world, `a part of ${nameOf(world, unpaid.eventId)} is paid: ${progress}`);
}
