import { eq, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";
import { checkWagers, readEventTerms } from "#src/show/events/read-event-terms.ts";
import { auditBlueprintEvent } from "./audit-blueprint-event.ts";
import { checkPosition } from "./check-position.ts";
import { readOrder, renumberEvents, insertAtPosition } from "./renumber-events.ts";
import type { UpdateBlueprintEventBody } from "./schemas.ts";
import { lockBlueprintEvent, touchBlueprint } from "./with-blueprint.ts";

type UpdateBlueprintEvent = UpdateBlueprintEventBody & IfVersion & { blueprintEventId: number; actor: Actor };

/**
 * Changes the given fields of a blueprint's event; with a position the event moves there. Copies in sessions do not change.
 * @throws Refusal 404 for an unknown event; 422 for a position past the end and a minimum wager above the maximum; 409 if its
 *   version is no longer `ifVersion`.
 */
export async function updateBlueprintEvent(
  { pool }: Pick<Deps, "pool">,
  { blueprintEventId, actor, position, ifVersion, ...body }: UpdateBlueprintEvent,
): Promise<void> {
  await inTransaction(pool.db, async (tx) => {
    const event = await lockBlueprintEvent(tx, blueprintEventId);
    requireVersion({ ifVersion }, event);
    const order = await readOrder(tx, event.blueprintId);
    checkPosition(position, order.length);
    const terms = readEventTerms(body);
    checkWagers({
      minWagerCents: terms.minWagerCents ?? event.minWagerCents,
      maxWagerCents: terms.maxWagerCents === undefined ? event.maxWagerCents : terms.maxWagerCents,
    });
    if (position !== undefined) await renumberEvents(tx, insertAtPosition(order, { id: event.id, position }));
    const [updated] = await tx
      .update(blueprintEvents)
      .set({ ...terms, updatedAt: sql`game_now()` })
      .where(eq(blueprintEvents.id, event.id))
      .returning();
    if (updated === undefined)
      throw new Error(`blueprint event ${event.id} is missing although it is locked`);
    await touchBlueprint(tx, event.blueprintId);
    await auditBlueprintEvent(tx, {
      actor,
      action: "update_blueprint_event",
      before: event,
      after: updated,
    });
  });
}
