import { eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import { notFound } from "#src/base/refusal.ts";

export type BlueprintRow = typeof blueprints.$inferSelect;
export type BlueprintEventRow = typeof blueprintEvents.$inferSelect;

/**
 * Locks a blueprint until the transaction ends. Every change of a blueprint or its events takes this lock, so that positions
 * are assigned by one transaction at a time. Copying takes it shared (generate-session.ts).
 * @returns null for an unknown blueprint.
 */
export async function lockBlueprint(tx: Transaction, blueprintId: number): Promise<BlueprintRow | null> {
  const [blueprint] = await tx
    .select()
    .from(blueprints)
    .where(eq(blueprints.id, blueprintId))
    .for("no key update");
  return blueprint ?? null;
}

/**
 * Locks the blueprint of an event, and reads the event under the lock.
 * @throws Refusal 404 for an unknown event.
 */
export async function lockBlueprintEvent(
  tx: Transaction,
  blueprintEventId: number,
): Promise<BlueprintEventRow> {
  const hasId = eq(blueprintEvents.id, blueprintEventId);
  const [unlocked] = await tx
    .select({ blueprintId: blueprintEvents.blueprintId })
    .from(blueprintEvents)
    .where(hasId);
  if (unlocked === undefined) throw notFound();
  await lockBlueprint(tx, unlocked.blueprintId);
  const [event] = await tx.select().from(blueprintEvents).where(hasId);
  if (event === undefined) throw notFound();
  return event;
}

/** Sets a blueprint's `updatedAt` after a change of the blueprint or of one of its events. */
export async function touchBlueprint(tx: Transaction, blueprintId: number): Promise<void> {
  await tx
    .update(blueprints)
    .set({ updatedAt: sql`game_now()` })
    .where(eq(blueprints.id, blueprintId));
}
