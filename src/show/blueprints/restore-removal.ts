import { inTransaction, type Transaction } from "#db/client.ts";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound, Refusal } from "#src/base/refusal.ts";
import { checkCapacity } from "./check-capacity.ts";
import { REMOVAL_KEPT_HOURS } from "./contract.ts";
import { findRemoval, type Removal } from "./find-removals.ts";
import { insertAtPosition, readOrder, renumberEvents } from "./renumber-events.ts";
import { lockBlueprint, touchBlueprint } from "./with-blueprint.ts";

const HOUR_MS = 3_600_000;

type RestoreRemoval = { actor: Actor; removalId: number; now: Date };

/**
 * Undoes a removal: a blueprint comes back with its events, events come back to their positions, all under their old ids. What is
 * there again stays as it is. Sessions that were made from a removed blueprint stay without it.
 * @returns the id of the blueprint.
 * @throws Refusal 404 for an unknown removal, and for events whose blueprint is gone; 422 if it is too long ago, or if there is no
 *   room for the events any more.
 */
export function restoreRemoval(
  { pool }: Pick<Deps, "pool">,
  { actor, removalId, now }: RestoreRemoval,
): Promise<number> {
  return inTransaction(pool.db, async (tx) => {
    const removal = await findRemoval(tx, removalId);
    if (removal === null) throw notFound();
    if (now.getTime() - removal.at.getTime() > REMOVAL_KEPT_HOURS * HOUR_MS) throw tooLate();
    const { blueprintId, blueprint, events } = removal;
    if (blueprint !== null) await restoreBlueprint(tx, { blueprintId, blueprint });
    if ((await lockBlueprint(tx, blueprintId)) === null) throw notFound();
    const restored = await restoreEvents(tx, removal);
    if (blueprint === null && restored.length === 0) return blueprintId;
    await touchBlueprint(tx, blueprintId);
    await writeAudit(tx, {
      actor,
      action: blueprint === null ? "restore_blueprint_events" : "restore_blueprint",
      subject: { type: "blueprint", id: blueprintId },
      sessionId: null,
      before: {},
      after: { removalId, blueprintEvents: events },
    });
    return blueprintId;
  });
}

async function restoreBlueprint(
  tx: Transaction,
  { blueprintId, blueprint }: Pick<Removal, "blueprintId"> & { blueprint: NonNullable<Removal["blueprint"]> },
): Promise<void> {
  await tx
    .insert(blueprints)
    .overridingSystemValue()
    .values({ id: blueprintId, ...blueprint })
    .onConflictDoNothing();
}

/** @returns the ids of those that were not there. */
async function restoreEvents(tx: Transaction, { blueprintId, events }: Removal): Promise<number[]> {
  const before = await readOrder(tx, blueprintId);
  const missing = events
    .filter(({ id }) => !before.includes(id))
    .toSorted((one, other) => one.position - other.position);
  if (missing.length === 0) return [];
  checkCapacity({ existing: before.length, added: missing.length });
  const rows = missing.map((event, index) => ({ ...event, position: before.length + index + 1 }));
  await tx.insert(blueprintEvents).overridingSystemValue().values(rows);
  let order = before;
  for (const event of missing) order = insertAtPosition(order, event);
  await renumberEvents(tx, order);
  return missing.map(({ id }) => id);
}

function tooLate(): Refusal {
  const detail = `It was removed more than ${REMOVAL_KEPT_HOURS} hours ago.`;
  return new Refusal(422, "too_late_to_undo", "It cannot be brought back any more", { detail });
}
