import { asc, eq, sql } from "drizzle-orm";
import type { Queryable, Transaction } from "#db/client.ts";
import { anyOf, writeIntegerArray } from "#db/ledger/query.ts";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import { type Actor, type AuditEntry, writeAudit } from "#src/base/audit.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { blueprintLimits } from "./contract.ts";

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

/** Locks the blueprint of an event, and reads the event under the lock. */
export async function lockBlueprintEvent(
  tx: Transaction,
  blueprintEventId: number,
): Promise<BlueprintEventRow> {
  const blueprintId = await findBlueprintId(tx, blueprintEventId);
  if (blueprintId === null) throw notFound();
  await lockBlueprint(tx, blueprintId);
  const [event] = await tx.select().from(blueprintEvents).where(eq(blueprintEvents.id, blueprintEventId));
  if (event === undefined) throw notFound();
  return event;
}

/**
 * Locks the blueprint of some events, and reads them under the lock in the given order.
 * @throws Refusal 422 unless each id is given once, and all are of one blueprint.
 */
export async function lockEventsOfOne(
  tx: Transaction,
  ids: readonly number[],
): Promise<{ blueprintId: number; rows: BlueprintEventRow[] }> {
  const [first] = ids;
  if (first === undefined) throw notOfOne();
  const blueprintId = await findBlueprintId(tx, first);
  if (blueprintId === null) throw notOfOne();
  await lockBlueprint(tx, blueprintId);
  const found = await tx
    .select()
    .from(blueprintEvents)
    .where(anyOf(blueprintEvents.id, [...ids]));
  const byId = new Map(found.map((row) => [row.id, row]));
  const rows = ids.flatMap((id) => byId.get(id) ?? []);
  const isOne = rows.every((row) => row.blueprintId === blueprintId);
  if (byId.size !== ids.length || rows.length !== ids.length || !isOne) throw notOfOne();
  return { blueprintId, rows };
}

const notOfOne = () => invalid({ blueprintEvents: ["is invalid"] });

export async function findBlueprintId(tx: Transaction, blueprintEventId: number): Promise<number | null> {
  const [event] = await tx
    .select({ blueprintId: blueprintEvents.blueprintId })
    .from(blueprintEvents)
    .where(eq(blueprintEvents.id, blueprintEventId));
  return event?.blueprintId ?? null;
}

export function listEvents(db: Queryable, blueprintId: number): Promise<BlueprintEventRow[]> {
  return db
    .select()
    .from(blueprintEvents)
    .where(eq(blueprintEvents.blueprintId, blueprintId))
    .orderBy(asc(blueprintEvents.position));
}

/** The ids of a blueprint's events in the order of their positions. The caller has locked the blueprint. */
export async function readOrder(tx: Transaction, blueprintId: number): Promise<number[]> {
  return (await listEvents(tx, blueprintId)).map(({ id }) => id);
}

/**
 * Gives a blueprint's events the positions 1..n in this order. The caller has locked the blueprint.
 * @param order the ids of all of its events.
 */
export async function renumberEvents(tx: Transaction, order: readonly number[]): Promise<void> {
  await tx.execute(sql`
    UPDATE blueprint_events e SET position = o.position, updated_at = game_now()
    FROM unnest(${writeIntegerArray(order)}::bigint[]) WITH ORDINALITY AS o(id, position)
    WHERE e.id = o.id AND e.position <> o.position`);
}

/** The ids with one of them, or a new one, at this position (from 1). */
export function insertAtPosition(
  order: readonly number[],
  { id, position }: { id: number; position: number },
): number[] {
  return order.filter((other) => other !== id).toSpliced(position - 1, 0, id);
}

/**
 * Refuses more events than a blueprint can have.
 * @throws Refusal 422; it says how many more can be added.
 */
export function checkCapacity({ existing, added }: { existing: number; added: number }): void {
  const { eventsMax } = blueprintLimits;
  if (existing + added <= eventsMax) return;
  const detail = `It has ${existing} events, so there is room for ${eventsMax - existing} more.`;
  throw invalid({ blueprint: [`is too long (maximum is ${eventsMax} events)`] }, { detail });
}

/**
 * Refuses a position past `last`. Undefined means no position was given and passes.
 * @throws Refusal 422.
 */
export function checkPosition(position: number | undefined, last: number): void {
  if (position === undefined || position <= last) return;
  throw invalid({ position: [`must be less than or equal to ${last}`] });
}

type Change = Pick<AuditEntry, "action" | "before" | "after"> & { actor: Actor; id: number };

export function auditBlueprint(tx: Transaction, { id, ...change }: Change): Promise<void> {
  return writeAudit(tx, { ...change, subject: { type: "blueprint", id } });
}

/** Notes a change of events in the audit log, and as a change of their blueprint. */
export async function noteEvents(tx: Transaction, change: Change): Promise<void> {
  await touchBlueprint(tx, change.id);
  await auditBlueprint(tx, change);
}

/** The same for a change of one event, about which the line in the audit log is. */
export async function noteEvent(
  tx: Transaction,
  { id, blueprintId }: Pick<BlueprintEventRow, "id" | "blueprintId">,
  change: Omit<Change, "id">,
): Promise<void> {
  await touchBlueprint(tx, blueprintId);
  await writeAudit(tx, { ...change, subject: { type: "blueprint_event", id } });
}

async function touchBlueprint(tx: Transaction, blueprintId: number): Promise<void> {
  await tx
    .update(blueprints)
    .set({ updatedAt: sql`game_now()` })
    .where(eq(blueprints.id, blueprintId));
}

/** The fields of an event that the audit log stores. */
export function termsOf({ createdAt: _createdAt, updatedAt: _updatedAt, ...terms }: BlueprintEventRow) {
  return terms;
}
