import type { Transaction } from "#db/client.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { invalid, Refusal } from "#src/base/refusal.ts";
import { attachPictures, type Pictures } from "#src/show/events/question-picture.ts";
import { checkTerms, readEventTerms } from "#src/show/events/read-event-terms.ts";
import { checkCapacity } from "./check-capacity.ts";
import type { CreateBlueprintEventsBody } from "./schemas.ts";
import type { BlueprintEventRow } from "./with-blueprint.ts";

type InsertEvents = {
  blueprintId: number;
  /** How many events the blueprint has. */
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
