import { eq, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { checkWagers, readEventTerms } from "#src/events/read-event-terms.ts";
import { type Based, requireVersion } from "#src/http/if-match.ts";
import { auditBlueprintEvent } from "./audit-blueprint-event.ts";
import { checkPosition } from "./check-position.ts";
import { readOrder, renumberEvents, withIdAt } from "./renumber-events.ts";
import type { UpdateBlueprintEventBody } from "./schemas.ts";
import { lockBlueprintEvent, touchBlueprint } from "./with-blueprint.ts";

type UpdateBlueprintEvent = UpdateBlueprintEventBody & Based & { blueprintEventId: number; actor: Actor };

/**
 * Changes what is given of a blueprint's event; with a position it moves there and the others make room. Copies of it in
 * sessions stay as they are.
 * @throws Refusal 404 where there is none; 422 for a position past the end and limits that no wager fits; 409 where it is another
 *   version by now.
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
    if (position !== undefined) await renumberEvents(tx, withIdAt(order, { id: event.id, position }));
    const [updated] = await tx
      .update(blueprintEvents)
      .set({ ...terms, updatedAt: sql`game_now()` })
      .where(eq(blueprintEvents.id, event.id))
      .returning();
    if (updated === undefined) throw new Error(`blueprint event ${event.id} is gone although it is locked`);
    await touchBlueprint(tx, event.blueprintId);
    await auditBlueprintEvent(tx, {
      actor,
      action: "update_blueprint_event",
      before: event,
      after: updated,
    });
  });
}
