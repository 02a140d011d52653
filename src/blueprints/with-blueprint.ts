import { eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import { notFound } from "#src/base/refusal.ts";

export type BlueprintRow = typeof blueprints.$inferSelect;
export type BlueprintEventRow = typeof blueprintEvents.$inferSelect;

/**
 * Locks a blueprint until the transaction ends. Whoever changes it or its events holds this lock, so that positions are
 * counted by one at a time; whoever copies it shares it (generate-session.ts).
 * @returns null where there is none.
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
 * Locks the blueprint of an event and reads the event as it then stands.
 * @throws Refusal 404 where there is none.
 */
export async function lockBlueprintEvent(
  tx: Transaction,
  blueprintEventId: number,
): Promise<BlueprintEventRow> {
  const ofId = eq(blueprintEvents.id, blueprintEventId);
  const [seen] = await tx
    .select({ blueprintId: blueprintEvents.blueprintId })
    .from(blueprintEvents)
    .where(ofId);
  if (seen === undefined) throw notFound();
  await lockBlueprint(tx, seen.blueprintId);
  const [event] = await tx.select().from(blueprintEvents).where(ofId);
  if (event === undefined) throw notFound();
  return event;
}

/** Says that a blueprint, or one of its events, was changed now. */
export async function touchBlueprint(tx: Transaction, blueprintId: number): Promise<void> {
  await tx
    .update(blueprints)
    .set({ updatedAt: sql`game_now()` })
    .where(eq(blueprints.id, blueprintId));
}
