import { eq, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { inTransaction, type Transaction } from "#db/client.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { makeOnce, type MaybeKeyed, nothingMore, once } from "#src/base/once.ts";
import { invalid, Refusal } from "#src/base/refusal.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";
import { attachPictures, type Pictures, storePictures } from "#src/show/events/question-picture.ts";
import { checkTerms, readEventTerms } from "#src/show/events/read-event-terms.ts";
import { importedEvents, readImport } from "./read-import.ts";
import type {
  CreateBlueprintEventBody,
  CreateBlueprintEventsBody,
  ImportBlueprintEventsBody,
  PositionsBody,
  UpdateBlueprintEventBody,
  UpdateBlueprintEventsBody,
} from "./schemas.ts";
import {
  type BlueprintEventRow,
  checkCapacity,
  checkPosition,
  findBlueprintId,
  insertAtPosition,
  lockBlueprint,
  lockBlueprintEvent,
  lockEventsOfOne,
  noteEvent,
  noteEvents,
  readOrder,
  renumberEvents,
  termsOf,
} from "./with-blueprint.ts";

/**
 * Adds a list of events at the end of a blueprint, all or none.
 * @throws Refusal 422 for an unknown blueprint, more events than it can have, a minimum wager above the maximum, and two labels that are the same.
 */
export async function createBlueprintEvents(
  deps: PictureDeps,
  { actor, blueprintId, blueprintEvents }: CreateBlueprintEventsBody & { actor: Actor },
  keyed: MaybeKeyed,
): Promise<void> {
  const pictures = await storePictures(deps, actor, blueprintEvents);
  return addEvents(deps, { actor, blueprintId, pictures, listEvents: () => blueprintEvents }, keyed);
}

/**
 * Adds the events that a text names at the end of a blueprint, all or none.
 * @throws Refusal 422 that names each line which cannot be added, and as above.
 */
export async function importBlueprintEvents(
  deps: Pick<Deps, "pool">,
  { actor, blueprintId, text }: ImportBlueprintEventsBody & { actor: Actor },
  keyed: MaybeKeyed,
): Promise<void> {
  const { reading, pictures } = await readImport(deps.pool.db, text);
  const listEvents = (existing: number) => importedEvents(reading, existing);
  return addEvents(deps, { actor, blueprintId, pictures, listEvents }, keyed);
}

type PictureDeps = Pick<Deps, "env" | "pool" | "store">;
type AddEvents = {
  actor: Actor;
  blueprintId: number;
  pictures: Pictures;
  listEvents: (existing: number) => CreateBlueprintEventsBody["blueprintEvents"];
};

async function addEvents({ pool }: Pick<Deps, "pool">, added: AddEvents, keyed: MaybeKeyed): Promise<void> {
  await inTransaction(pool.db, (tx) => once(tx, keyed, nothingMore, () => add(tx, added)));
}

async function add(
  tx: Transaction,
  { actor, blueprintId, pictures, listEvents }: AddEvents,
): Promise<object> {
  if ((await lockBlueprint(tx, blueprintId)) === null) throw invalid({ blueprint: ["must exist"] });
  const existing = (await readOrder(tx, blueprintId)).length;
  const added = await insertEvents(tx, { blueprintId, existing, pictures, events: listEvents(existing) });
  const after = { blueprintEvents: added.map(termsOf) };
  await noteEvents(tx, { actor, id: blueprintId, action: "create_blueprint_events", after });
  return {};
}

/**
 * Adds an event to a blueprint, at the end or at a position; the events from there on move down by one.
 * @returns the event's id.
 * @throws Refusal 422 for an unknown or full blueprint, a position past the end a minimum wager above the maximum, and two labels that are the same.
 */
export async function createBlueprintEvent(
  deps: PictureDeps,
  added: CreateBlueprintEventBody & { actor: Actor },
  keyed: MaybeKeyed = null,
): Promise<number> {
  const pictures = await storePictures(deps, added.actor, [added]);
  return makeOnce(deps.pool.db, keyed, (tx) => addEvent(tx, added, pictures));
}

async function addEvent(
  tx: Transaction,
  { actor, blueprintId, position, ...terms }: CreateBlueprintEventBody & { actor: Actor },
  pictures: Pictures,
): Promise<{ id: number }> {
  if ((await lockBlueprint(tx, blueprintId)) === null) throw invalid({ blueprint: ["must exist"] });
  const order = await readOrder(tx, blueprintId);
  const last = order.length + 1;
  checkCapacity({ existing: order.length, added: 1 });
  checkPosition(position, last);
  const values = { ...readEventTerms(terms, pictures), blueprintId, position: last };
  checkTerms(values);
  const [added] = await tx.insert(blueprintEvents).values(values).returning();
  if (added === undefined) throw new Error("the insert of a blueprint event returned no row");
  await attachPictures(tx, pictures);
  const event = { ...added, position: position ?? last };
  await renumberEvents(tx, insertAtPosition(order, event));
  await noteEvent(tx, event, { actor, action: "create_blueprint_event", after: termsOf(event) });
  return { id: event.id };
}

type InsertEvents = {
  blueprintId: number;
  existing: number;
  events: CreateBlueprintEventsBody["blueprintEvents"];
  pictures: Pictures;
};

/**
 * Adds events at the end of a blueprint that the caller has locked.
 * @throws Refusal 422 for more events than it can have, a minimum wager above the maximum, and two labels that are the same.
 */
export async function insertEvents(
  tx: Transaction,
  { blueprintId, existing, events, pictures }: InsertEvents,
): Promise<BlueprintEventRow[]> {
  checkCapacity({ existing, added: events.length });
  const terms = events.map((event, row) => checkRow(row, () => readEventTerms(event, pictures)));
  for (const [row, event] of terms.entries()) checkRow(row, () => checkTerms(event));
  await attachPictures(tx, pictures);
  const rows = terms.map((event, row) => ({ ...event, blueprintId, position: existing + row + 1 }));
  return tx.insert(blueprintEvents).values(rows).returning();
}

/** Runs a check of one event and names the row in its refusal. Example: `blueprintEvents.2.minWager`. */
export function checkRow<Read>(row: number, check: () => Read): Read {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const errors = Object.entries(error.details.errors ?? {});
    throw invalid(
      Object.fromEntries(errors.map(([field, texts]) => [`blueprintEvents.${row}.${field}`, texts])),
    );
  }
}

type Change = UpdateBlueprintEventsBody[number];
type UpdateBlueprintEvents = {
  actor: Actor;
  blueprintEvents: UpdateBlueprintEventsBody;
  /** All have to be of this blueprint; left out: of any one. */
  blueprintId?: number | undefined;
};

const byNumber = (one: number, other: number) => one - other;
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
    if (expected !== undefined && expected !== blueprintId) throw notAPermutation();
    const updated: BlueprintEventRow[] = [];
    for (const [row, event] of rows.entries()) {
      const change = changes[row];
      if (change !== undefined) updated.push(await updateRow(tx, { row, event, change, pictures }));
    }
    await attachPictures(tx, pictures);
    const before = { blueprintEvents: rows.map(termsOf) };
    const after = { blueprintEvents: updated.map(termsOf) };
    await noteEvents(tx, { actor, id: blueprintId, action: "update_blueprint_events", before, after });
    return blueprintId;
  });
}

type UpdateRow = { row: number; event: BlueprintEventRow; change: Change; pictures: Pictures };

async function updateRow(
  tx: Transaction,
  { row, event, change, pictures }: UpdateRow,
): Promise<BlueprintEventRow> {
  const { id: _id, version, ...fields } = change;
  requireVersion({ ifVersion: version }, event);
  const terms = checkRow(row, () => readEventTerms(fields, pictures, event));
  checkRow(row, () => checkTerms(terms, event));
  return writeTerms(tx, event, terms);
}

async function writeTerms(
  tx: Transaction,
  { id }: BlueprintEventRow,
  terms: PgUpdateSetSource<typeof blueprintEvents>,
): Promise<BlueprintEventRow> {
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
    const updated = await writeTerms(tx, event, terms);
    const [before, after] = [termsOf(event), termsOf(updated)];
    await noteEvent(tx, event, { actor, action: "update_blueprint_event", before, after });
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
    if (!Bun.deepEquals(before.toSorted(byNumber), order.toSorted(byNumber))) throw notAPermutation();
    await renumberEvents(tx, order);
    await noteEvents(tx, {
      actor,
      id: blueprintId,
      action: "batch_update_positions",
      before: { blueprintEventIds: before },
      after: { blueprintEventIds: order },
    });
    return blueprintId;
  });
}
