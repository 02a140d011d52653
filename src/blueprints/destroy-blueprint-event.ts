import { eq } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { type Based, requireVersion } from "#src/http/if-match.ts";
import { auditBlueprintEvent } from "./audit-blueprint-event.ts";
import { readOrder, renumberEvents } from "./renumber-events.ts";
import { lockBlueprintEvent, touchBlueprint } from "./with-blueprint.ts";

/**
 * Deletes an event of a blueprint; those after it move up. Copies of it in sessions stay, and forget where they come from.
 * @throws Refusal 404 where there is none; 409 where it is another version by now.
 */
export async function destroyBlueprintEvent(
  { pool }: Pick<Deps, "pool">,
  { blueprintEventId, actor, ifVersion }: Based & { blueprintEventId: number; actor: Actor },
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
