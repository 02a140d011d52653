import { eq } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";
import { auditBlueprintEvent } from "./audit-blueprint-event.ts";
import { readOrder, renumberEvents } from "./renumber-events.ts";
import { lockBlueprintEvent, touchBlueprint } from "./with-blueprint.ts";

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
