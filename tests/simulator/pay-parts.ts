import { expect } from "bun:test";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { listDifferences } from "#tests/support/books.ts";
import { paySettlement } from "#src/events/pay-settlement.ts";
import { nameOf, note, type World } from "./world.ts";

/** In a world that pays in parts somebody may pay one; between two parts the books agree as they always do. */
export async function payPart(world: World): Promise<void> {
  const { deps, dice } = world;
  if (!world.paysInParts || dice.chance(0.4)) return;
  const [unpaid] = await listUnpaidSettlements(deps.pool.db, world.eventIds);
  if (unpaid === undefined) return;
  if (dice.chance(0.2)) expect(await listDifferences(deps.pool.db)).toEqual([]);
  const turn = await paySettlement(deps, unpaid, { turnMs: 0 });
  note(world, `a part of ${nameOf(world, unpaid.eventId)} is paid: ${turn}`);
}

/** Everybody is paid in the end. */
export async function payAllParts(world: World): Promise<void> {
  if (!world.paysInParts) return;
  const { deps, eventIds } = world;
  for (const unpaid of await listUnpaidSettlements(deps.pool.db, eventIds)) {
    expect(await paySettlement(deps, unpaid, { turnMs: Number.POSITIVE_INFINITY })).toBe("paid");
  }
}
