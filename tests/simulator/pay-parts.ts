import { expect } from "bun:test";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { paySettlement } from "#src/settlements/pay-settlement.ts";
import { listDifferences } from "#tests/support/books.ts";
import { nameOf, record, type World } from "./world.ts";

/** If the world pays in parts, pays a part of a settlement now and then. The books agree between two parts. */
export async function maybePayPart(world: World): Promise<void> {
  const { deps, dice } = world;
  if (!world.paysInParts || dice.chance(0.4)) return;
  const [unpaid] = await listUnpaidSettlements(deps.pool.db, world.eventIds);
  if (unpaid === undefined) return;
  if (dice.chance(0.2)) expect(await listDifferences(deps.pool.db)).toEqual([]);
  const progress = await paySettlement(deps, unpaid, { budgetMs: 0 });
  record(world, `a part of ${nameOf(world, unpaid.eventId)} is paid: ${progress}`);
}

/** Pays all settlements to the end. */
export async function payAllParts(world: World): Promise<void> {
  if (!world.paysInParts) return;
  const { deps, eventIds } = world;
  for (const unpaid of await listUnpaidSettlements(deps.pool.db, eventIds)) {
    expect(await paySettlement(deps, unpaid, { budgetMs: Number.POSITIVE_INFINITY })).toBe("paid");
  }
}
