import { eq, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";
import { attachPictures, type Pictures, storePictures } from "#src/show/events/question-picture.ts";
import { checkTerms, readEventTerms } from "#src/show/events/read-event-terms.ts";
import { auditBlueprintEvent, termsOf } from "./audit-blueprint-event.ts";
import { checkPosition } from "./check-position.ts";
import { checkRow } from "./insert-events.ts";
import { findBlueprintId, lockEventsOfOne } from "./lock-events.ts";
import { insertAtPosition, readOrder, renumberEvents } from "./renumber-events.ts";
import type { PositionsBody, UpdateBlueprintEventBody, UpdateBlueprintEventsBody } from "./schemas.ts";
import {
  type BlueprintEventRow,
  lockBlueprint,
  lockBlueprintEvent,
  touchBlueprint,
} from "./with-blueprint.ts";

type Change = UpdateBlueprintEventsBody[number];
type UpdateBlueprintEvents = {
  actor: Actor;
  blueprintEvents: UpdateBlueprintEventsBody;
  /** All have to be of this blueprint; left out: of any one. */
  blueprintId?: number | undefined;
};

const notAPermutation = () => invalid({ blueprintEvents: ["is invalid"] });

/**
 * Changes several events of one blueprint, each by its own fields, all or none.
 * @returns the id of the blueprint.
 * @throws Refusal 422 for an event of another blueprint and for limits that no wager can meet; 409 if an event has another version
 *   than its change names.
 */
export async function updateBlueprintEvents(
  deps: Pick<Deps, "env" | "pool" | "store">,
  { actor, blueprintEvents: changes, blueprintId: expected }: UpdateBlueprintEvents,
): Promise<number> {
  const pictures = await storePictures(deps, actor, changes);
  return inTransaction(deps.pool.db, async (tx) => {
    const { blueprintId, rows } = await lockEventsOfOne(
      tx,
      changes.map(({ id }) => id),
    );
    if (expected !== undefined && expected !== blueprintId)
      throw invalid({ blueprintEvents: ["is invalid"] });
    const updated: BlueprintEventRow[] = [];
    for (const [row, event] of rows.entries()) {
      const change = changes[row];
      if (change !== undefined) updated.push(await updateRow(tx, { row, event, change, pictures }));
    }
    await attachPictures(tx, pictures);
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

type UpdateRow = { row: number; event: BlueprintEventRow; change: Change; pictures: Pictures };

async function updateRow(
  tx: Transaction,
  { row, event, change, pictures }: UpdateRow,
): Promise<BlueprintEventRow> {
  const { id, version, ...fields } = change;
  requireVersion({ ifVersion: version }, event);
  const terms = checkRow(row, () => readEventTerms(fields, pictures, event));
  checkRow(row, () => checkTerms(terms, event));
  const [updated] = await tx
    .update(blueprintEvents)
    .set({ ...terms, updatedAt: sql`game_now()` })
    .where(eq(blueprintEvents.id, id))
    .returning();
  if (updated === undefined) throw new Error(`blueprint event ${id} is missing although it is locked`);
  return updated;
}

type UpdateBlueprintEvent = UpdateBlueprintEventBody & IfVersion & { blueprintEventId: number; actor: Actor };

/**
 * Changes the given fields of a blueprint's event; with a position the event moves there. Copies in sessions do not change.
 * @throws Refusal 404 for an unknown event; 422 for a position past the end a minimum wager above the maximum, and two labels that are the same; 409 if its
 *   version is no longer `ifVersion`.
 */
export async function updateBlueprintEvent(
  deps: Pick<Deps, "env" | "pool" | "store">,
  { blueprintEventId, actor, position, ifVersion, ...body }: UpdateBlueprintEvent,
): Promise<void> {
  const pictures = await storePictures(deps, actor, [body]);
  await inTransaction(deps.pool.db, async (tx) => {
    const event = await lockBlueprintEvent(tx, blueprintEventId);
    requireVersion({ ifVersion }, event);
    const order = await readOrder(tx, event.blueprintId);
    checkPosition(position, order.length);
    const terms = readEventTerms(body, pictures, event);
    await attachPictures(tx, pictures);
    checkTerms(terms, event);
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

/**
 * Reorders all events of a blueprint.
 * @param positions every event of one blueprint once, with positions 1..n.
 * @returns the id of the blueprint.
 * @throws Refusal 422 for any other list.
 */
export function updatePositions(
  { pool }: Pick<Deps, "pool">,
  { positions, actor }: { positions: PositionsBody; actor: Actor },
): Promise<number> {
  const sorted = positions.toSorted((one, other) => one.position - other.position);
  const order = sorted.map(({ id }) => id);
  const isNumbered = sorted.every(({ position }, index) => position === index + 1);
  return inTransaction(pool.db, async (tx) => {
    const [first] = order;
    const blueprintId = isNumbered && first !== undefined ? await findBlueprintId(tx, first) : null;
    if (blueprintId === null) throw notAPermutation();
    await lockBlueprint(tx, blueprintId);
    const before = await readOrder(tx, blueprintId);
    if (!isPermutation(before, order)) throw notAPermutation();
    await renumberEvents(tx, order);
    await touchBlueprint(tx, blueprintId);
    await writeAudit(tx, {
      actor,
      action: "batch_update_positions",
      subject: { type: "blueprint", id: blueprintId },
      sessionId: null,
      before: { blueprintEventIds: before },
      after: { blueprintEventIds: order },
    });
    return blueprintId;
  });
}

function isPermutation(ids: readonly number[], others: readonly number[]): boolean {
  const expected = new Set(ids);
  return (
    ids.length === others.length &&
    new Set(others).size === others.length &&
    others.every((id) => expected.has(id))
  );
}
