import { inTransaction, type Transaction } from "#db/client.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { type MaybeKeyed, nothingMore, once } from "#src/base/once.ts";
import { invalid, Refusal } from "#src/base/refusal.ts";
import { checkWagers, readEventTerms } from "#src/show/events/read-event-terms.ts";
import { termsOf } from "./audit-blueprint-event.ts";
import { checkCapacity } from "./check-capacity.ts";
import { readOrder } from "./renumber-events.ts";
import type { CreateBlueprintEventsBody } from "./schemas.ts";
import { lockBlueprint, touchBlueprint } from "./with-blueprint.ts";

/**
 * Adds a list of events at the end of a blueprint, all or none.
 * @throws Refusal 422 for an unknown blueprint, more events than it can have, and a minimum wager above the maximum.
 */
export async function createBlueprintEvents(
  { pool }: Pick<Deps, "pool">,
  added: CreateBlueprintEventsBody & { actor: Actor },
  keyed: MaybeKeyed,
): Promise<void> {
  await inTransaction(pool.db, (tx) => once(tx, keyed, nothingMore, () => addEvents(tx, added)));
}

async function addEvents(
  tx: Transaction,
  { actor, blueprintId, blueprintEvents: newEvents }: CreateBlueprintEventsBody & { actor: Actor },
): Promise<object> {
  if ((await lockBlueprint(tx, blueprintId)) === null) throw invalid({ blueprint: ["must exist"] });
  const existing = (await readOrder(tx, blueprintId)).length;
  checkCapacity({ existing, added: newEvents.length });
  const terms = newEvents.map((event) => readEventTerms(event));
  for (const [row, event] of terms.entries()) checkRow(row, () => checkWagers(event));
  const rows = terms.map((event, row) => ({ ...event, blueprintId, position: existing + row + 1 }));
  const added = await tx.insert(blueprintEvents).values(rows).returning();
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

/** Runs a check of one event and names the row in its refusal. Example: `blueprintEvents.2.minWager`. */
function checkRow(row: number, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const errors = Object.entries(error.details.errors ?? {});
    throw invalid(
      Object.fromEntries(errors.map(([field, texts]) => [`blueprintEvents.${row}.${field}`, texts])),
    );
  }
}
