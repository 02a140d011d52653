import { inTransaction, type Transaction } from "#db/client.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { madeRow, type MaybeKeyed, nothingMore, once } from "#src/base/once.ts";
import { invalid } from "#src/base/refusal.ts";
import { attachPictures, type Pictures, storePictures } from "#src/show/events/question-picture.ts";
import { checkTerms, readEventTerms } from "#src/show/events/read-event-terms.ts";
import { auditBlueprintEvent, termsOf } from "./audit-blueprint-event.ts";
import { checkCapacity } from "./check-capacity.ts";
import { checkPosition } from "./check-position.ts";
import { insertEvents } from "./insert-events.ts";
import { importedEvents, readImport } from "./read-import.ts";
import { insertAtPosition, readOrder, renumberEvents } from "./renumber-events.ts";
import type {
  CreateBlueprintEventBody,
  CreateBlueprintEventsBody,
  ImportBlueprintEventsBody,
} from "./schemas.ts";
import { type BlueprintEventRow, lockBlueprint, touchBlueprint } from "./with-blueprint.ts";

type NewEvents = CreateBlueprintEventsBody["blueprintEvents"];

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
  listEvents: (existing: number) => NewEvents;
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
  await touchBlueprint(tx, blueprintId);
  await writeAudit(tx, {
    actor,
    action: "create_blueprint_events",
    subject: { type: "blueprint", id: blueprintId },
    sessionId: null,
    before: {},
    after: { blueprintEvents: added.map(termsOf) },
  });
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
  const { id } = await inTransaction(deps.pool.db, (tx) =>
    once(tx, keyed, madeRow, () => addEvent(tx, added, pictures)),
  );
  return id;
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
  const added = await insertLast(tx, { ...readEventTerms(terms, pictures), blueprintId, position: last });
  await attachPictures(tx, pictures);
  const event = { ...added, position: position ?? last };
  await renumberEvents(tx, insertAtPosition(order, event));
  await touchBlueprint(tx, blueprintId);
  await auditBlueprintEvent(tx, { actor, action: "create_blueprint_event", before: null, after: event });
  return { id: event.id };
}

async function insertLast(
  tx: Transaction,
  values: typeof blueprintEvents.$inferInsert,
): Promise<BlueprintEventRow> {
  checkTerms(values);
  const [event] = await tx.insert(blueprintEvents).values(values).returning();
  if (event === undefined) throw new Error("the insert of a blueprint event returned no row");
  return event;
}
