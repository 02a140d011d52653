import { eq } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import { inTransaction } from "#db/client.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";
import { auditBlueprintEvent, termsOf } from "./audit-blueprint-event.ts";
import { lockEventsOfOne } from "./lock-events.ts";
import { readOrder, renumberEvents } from "./renumber-events.ts";
import { lockBlueprintEvent, touchBlueprint } from "./with-blueprint.ts";

/**
 * Deletes several events of one blueprint, all or none; the others move up. restoreRemoval brings them back.
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

/**
 * Deletes an event of a blueprint; the events after it move up. Its copies in sessions stay, without a reference to it.
 * @throws Refusal 404 for an unknown event; 409 if its version is no longer `ifVersion`.
 */
export async function destroyBlueprintEvent(
  { pool }: Pick<Deps, "pool">,
  { blueprintEventId, actor, ifVersion }: IfVersion & { blueprintEventId: number; actor: Actor },
): Promise<void> {
  await inTransaction(pool.db, async (tx) => {
    const event = await lockBlueprintEvent(tx, blueprintEventId);
    requireVersion({ ifVersion }, event);
    await tx.delete(blueprintEvents).where(eq(blueprintEvents.id, event.id));
    await renumberEvents(tx, await readOrder(tx, event.blueprintId));
    await touchBlueprint(tx, event.blueprintId);
    await auditBlueprintEvent(tx, {
      actor,
      action: "destroy_blueprint_event",
      before: event,
      after: null,
    });
  });
}
