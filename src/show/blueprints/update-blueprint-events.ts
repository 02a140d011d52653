import { eq, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { requireVersion } from "#src/http/if-match.ts";
import { checkWagers, readEventTerms } from "#src/show/events/read-event-terms.ts";
import { termsOf } from "./audit-blueprint-event.ts";
import { checkRow } from "./insert-events.ts";
import { lockEventsOfOne } from "./lock-events.ts";
import type { UpdateBlueprintEventsBody } from "./schemas.ts";
import { type BlueprintEventRow, touchBlueprint } from "./with-blueprint.ts";

type Change = UpdateBlueprintEventsBody[number];
type UpdateBlueprintEvents = {
  actor: Actor;
  blueprintEvents: UpdateBlueprintEventsBody;
  /** All have to be of this blueprint; left out: of any one. */
  blueprintId?: number | undefined;
};

/**
 * Changes several events of one blueprint, each by its own fields, all or none.
 * @returns the id of the blueprint.
 * @throws Refusal 422 for an event of another blueprint and for limits that no wager can meet; 409 if an event has another version
 *   than its change names.
 */
export function updateBlueprintEvents(
  { pool }: Pick<Deps, "pool">,
  { actor, blueprintEvents: changes, blueprintId: expected }: UpdateBlueprintEvents,
): Promise<number> {
  return inTransaction(pool.db, async (tx) => {
    const { blueprintId, rows } = await lockEventsOfOne(
      tx,
      changes.map(({ id }) => id),
    );
    if (expected !== undefined && expected !== blueprintId)
      throw invalid({ blueprintEvents: ["is invalid"] });
    const updated: BlueprintEventRow[] = [];
    for (const [row, event] of rows.entries()) {
      const change = changes[row];
      if (change !== undefined) updated.push(await updateRow(tx, { row, event, change }));
    }
    await touchBlueprint(tx, blueprintId);
    await writeAudit(tx, {
      actor,
      action: "update_blueprint_events",
      subject: { type: "blueprint", id: blueprintId },
      sessionId: null,
      before: { blueprintEvents: rows.map(termsOf) },
      after: { blueprintEvents: updated.map(termsOf) },
    });
    return blueprintId;
  });
}

async function updateRow(
  tx: Transaction,
  { row, event, change }: { row: number; event: BlueprintEventRow; change: Change },
): Promise<BlueprintEventRow> {
  const { id, version, ...fields } = change;
  requireVersion({ ifVersion: version }, event);
  const terms = readEventTerms(fields);
  const { minWagerCents = event.minWagerCents, maxWagerCents = event.maxWagerCents } = terms;
  checkRow(row, () => checkWagers({ minWagerCents, maxWagerCents }));
  const [updated] = await tx
    .update(blueprintEvents)
    .set({ ...terms, updatedAt: sql`game_now()` })
    .where(eq(blueprintEvents.id, id))
    .returning();
  if (updated === undefined) throw new Error(`blueprint event ${id} is missing although it is locked`);
  return updated;
}
