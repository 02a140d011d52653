import { anyOf } from "#db/any-of.ts";
import { inTransaction } from "#db/client.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { termsOf } from "./audit-blueprint-event.ts";
import { lockEventsOfOne } from "./lock-events.ts";
import { readOrder, renumberEvents } from "./renumber-events.ts";
import { touchBlueprint } from "./with-blueprint.ts";

/**
 * Deletes several events of one blueprint, all or none; the others move up. restore-removal.ts brings them back.
 * @returns the id of the blueprint.
 * @throws Refusal 422 unless all are of one blueprint.
 */
export function destroyBlueprintEvents(
  { pool }: Pick<Deps, "pool">,
  { actor, ids }: { actor: Actor; ids: readonly number[] },
): Promise<number> {
  return inTransaction(pool.db, async (tx) => {
    const { blueprintId, rows } = await lockEventsOfOne(tx, ids);
    await tx.delete(blueprintEvents).where(anyOf(blueprintEvents.id, [...ids]));
    await renumberEvents(tx, await readOrder(tx, blueprintId));
    await touchBlueprint(tx, blueprintId);
    await writeAudit(tx, {
      actor,
      action: "destroy_blueprint_events",
      subject: { type: "blueprint", id: blueprintId },
      sessionId: null,
      before: { blueprintEvents: rows.map(termsOf) },
      after: {},
    });
    return blueprintId;
  });
}
