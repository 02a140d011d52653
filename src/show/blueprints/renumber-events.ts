import { asc, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { writeIntegerArray } from "#db/ledger/write-array.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";

/** The ids of a blueprint's events in the order of their positions. The caller has locked the blueprint. */
export async function readOrder(tx: Transaction, blueprintId: number): Promise<number[]> {
  const rows = await tx
    .select({ id: blueprintEvents.id })
    .from(blueprintEvents)
    .where(eq(blueprintEvents.blueprintId, blueprintId))
    .orderBy(asc(blueprintEvents.position));
  return rows.map(({ id }) => id);
}

/**
 * Gives a blueprint's events the positions 1..n in this order. The caller has locked the blueprint.
 * @param order the ids of all of its events.
 */
export async function renumberEvents(tx: Transaction, order: readonly number[]): Promise<void> {
  await tx.execute(sql`
    UPDATE blueprint_events e SET position = o.position, updated_at = game_now()
    FROM unnest(${writeIntegerArray(order)}::bigint[]) WITH ORDINALITY AS o(id, position)
    WHERE e.id = o.id AND e.position <> o.position`);
}

/** The ids with one of them, or a new one, at this position (from 1). */
export function insertAtPosition(
  order: readonly number[],
  { id, position }: { id: number; position: number },
): number[] {
  return order.filter((other) => other !== id).toSpliced(position - 1, 0, id);
}
