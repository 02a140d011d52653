import { inTransaction, type Transaction } from "#db/client.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { type MaybeKeyed, nothingMore, once } from "#src/base/once.ts";
import { invalid } from "#src/base/refusal.ts";
import { termsOf } from "./audit-blueprint-event.ts";
import { insertEvents } from "./insert-events.ts";
import { importedEvents, readImport } from "./read-import.ts";
import { readOrder } from "./renumber-events.ts";
import type { CreateBlueprintEventsBody, ImportBlueprintEventsBody } from "./schemas.ts";
import { lockBlueprint, touchBlueprint } from "./with-blueprint.ts";

type NewEvents = CreateBlueprintEventsBody["blueprintEvents"];

/**
 * Adds a list of events at the end of a blueprint, all or none.
 * @throws Refusal 422 for an unknown blueprint, more events than it can have, and a minimum wager above the maximum.
 */
export function createBlueprintEvents(
  deps: Pick<Deps, "pool">,
  { actor, blueprintId, blueprintEvents }: CreateBlueprintEventsBody & { actor: Actor },
  keyed: MaybeKeyed,
): Promise<void> {
  return addEvents(deps, { actor, blueprintId, listEvents: () => blueprintEvents }, keyed);
}

/**
 * Adds the events that a text names at the end of a blueprint, all or none.
 * @throws Refusal 422 that names each line which cannot be added, and as above.
 */
export function importBlueprintEvents(
  deps: Pick<Deps, "pool">,
  { actor, blueprintId, text }: ImportBlueprintEventsBody & { actor: Actor },
  keyed: MaybeKeyed,
): Promise<void> {
  const reading = readImport(text);
  const listEvents = (existing: number) => importedEvents(reading, existing);
  return addEvents(deps, { actor, blueprintId, listEvents }, keyed);
}

type AddEvents = { actor: Actor; blueprintId: number; listEvents: (existing: number) => NewEvents };

async function addEvents({ pool }: Pick<Deps, "pool">, added: AddEvents, keyed: MaybeKeyed): Promise<void> {
  await inTransaction(pool.db, (tx) => once(tx, keyed, nothingMore, () => add(tx, added)));
}

async function add(tx: Transaction, { actor, blueprintId, listEvents }: AddEvents): Promise<object> {
  if ((await lockBlueprint(tx, blueprintId)) === null) throw invalid({ blueprint: ["must exist"] });
  const existing = (await readOrder(tx, blueprintId)).length;
  const added = await insertEvents(tx, { blueprintId, existing, events: listEvents(existing) });
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
