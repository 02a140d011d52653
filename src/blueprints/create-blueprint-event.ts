import { inTransaction, type Transaction } from "#db/client.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { checkWagers, readEventTerms } from "#src/events/read-event-terms.ts";
import { auditBlueprintEvent } from "./audit-blueprint-event.ts";
import { checkPosition } from "./check-position.ts";
import { checkRoom } from "./check-room.ts";
import { readOrder, renumberEvents, withIdAt } from "./renumber-events.ts";
import type { CreateBlueprintEventBody } from "./schemas.ts";
import { type BlueprintEventRow, lockBlueprint, touchBlueprint } from "./with-blueprint.ts";

/**
 * Adds an event to a blueprint, last or at a position: what stands there and after it moves on.
 * @returns its id.
 * @throws Refusal 422 for an unknown or a full blueprint, a position past the end and limits that no wager fits.
 */
export function createBlueprintEvent(
  { pool }: Pick<Deps, "pool">,
  { actor, blueprintId, position, ...terms }: CreateBlueprintEventBody & { actor: Actor },
): Promise<number> {
  return inTransaction(pool.db, async (tx) => {
    if ((await lockBlueprint(tx, blueprintId)) === null) throw invalid({ blueprint: ["must exist"] });
    const order = await readOrder(tx, blueprintId);
    const last = order.length + 1;
    checkRoom({ there: order.length, more: 1 });
    checkPosition(position, last);
    const added = await insertLast(tx, { ...readEventTerms(terms), blueprintId, position: last });
    const event = { ...added, position: position ?? last };
    await renumberEvents(tx, withIdAt(order, event));
    await touchBlueprint(tx, blueprintId);
    await auditBlueprintEvent(tx, { actor, action: "create_blueprint_event", before: null, after: event });
    return event.id;
  });
}

async function insertLast(
  tx: Transaction,
  values: typeof blueprintEvents.$inferInsert,
): Promise<BlueprintEventRow> {
  checkWagers(values);
  const [event] = await tx.insert(blueprintEvents).values(values).returning();
  if (event === undefined) throw new Error("an insert answers its row");
  return event;
}
