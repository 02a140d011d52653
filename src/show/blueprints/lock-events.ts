import { eq } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import type { Transaction } from "#db/client.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { invalid } from "#src/base/refusal.ts";
import { type BlueprintEventRow, lockBlueprint } from "./with-blueprint.ts";

/**
 * Locks the blueprint of some events, and reads them under the lock in the given order.
 * @throws Refusal 422 unless each id is given once, and all are of one blueprint.
 */
export async function lockEventsOfOne(
  tx: Transaction,
  ids: readonly number[],
): Promise<{ blueprintId: number; rows: BlueprintEventRow[] }> {
  const [first] = ids;
  if (first === undefined) throw notOfOne();
  const blueprintId = await findBlueprintId(tx, first);
  if (blueprintId === null) throw notOfOne();
  await lockBlueprint(tx, blueprintId);
  const found = await tx
    .select()
    .from(blueprintEvents)
    .where(anyOf(blueprintEvents.id, [...ids]));
  const byId = new Map(found.map((row) => [row.id, row]));
  const rows = ids.flatMap((id) => byId.get(id) ?? []);
  const isOne = rows.every((row) => row.blueprintId === blueprintId);
  if (byId.size !== ids.length || rows.length !== ids.length || !isOne) throw notOfOne();
  return { blueprintId, rows };
}

const notOfOne = () => invalid({ blueprintEvents: ["is invalid"] });

/** The blueprint of an event; null for an unknown event. */
export async function findBlueprintId(tx: Transaction, blueprintEventId: number): Promise<number | null> {
  const [event] = await tx
    .select({ blueprintId: blueprintEvents.blueprintId })
    .from(blueprintEvents)
    .where(eq(blueprintEvents.id, blueprintEventId));
  return event?.blueprintId ?? null;
}
