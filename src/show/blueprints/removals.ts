import { and, desc, eq, gt, inArray, ne, sql, type SQL } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { anyOf } from "#db/ledger/query.ts";
import { autoResults, startModes } from "#db/lists/events.ts";
import { audit } from "#db/schema/audit.ts";
import { blobs } from "#db/schema/blobs.ts";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import { events as eventsTable } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { hasDependents, notFound, Refusal } from "#src/base/refusal.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";
import { rowId } from "#src/http/schemas.ts";
import { logoPath } from "#src/show/brands/contract.ts";
import { logoKind } from "#src/show/brands/show-logo.ts";
import { sessionSettings } from "#src/show/sessions/schemas.ts";
import { REMOVAL_KEPT_HOURS } from "./contract.ts";
import type { RemovalView } from "./schemas.ts";
import {
  auditBlueprint,
  checkCapacity,
  insertAtPosition,
  listEvents,
  lockBlueprint,
  lockBlueprintEvent,
  lockEventsOfOne,
  noteEvent,
  noteEvents,
  readOrder,
  renumberEvents,
  termsOf,
} from "./with-blueprint.ts";

// Decision: a removal is undone from its line in the audit log, which has all that was removed. So nothing is kept a second time,
// no read has to skip what is removed, and an undo brings back the same ids.

/** A removal, with the rows as they were. `name`: that of a whole blueprint; null for some of its events. */
type Removal = {
  id: number;
  at: Date;
  by: string;
  blueprintId: number;
  blueprint: v.InferOutput<typeof removedBlueprint> | null;
  events: v.InferOutput<typeof removedEvent>[];
};

/** The last removals that can be undone, newest first. */
const SHOWN_MAX = 20;
const actions = ["destroy_blueprint", "destroy_blueprint_events", "destroy_blueprint_event"];

const HOUR_MS = 3_600_000;

/** A row as the audit log has it; a word of another release is read as the default. */
const removedEvent = v.object({
  id: rowId,
  blueprintId: rowId,
  position: v.number(),
  title: v.string(),
  description: v.fallback(v.string(), ""),
  trueLabel: v.fallback(v.string(), "True"),
  falseLabel: v.fallback(v.string(), "False"),
  startMode: v.fallback(v.picklist(startModes), "after_previous"),
  offsetSeconds: v.fallback(v.number(), 0),
  durationSeconds: v.fallback(v.number(), 30),
  resolveWithinSeconds: v.fallback(v.number(), 60),
  minWagerCents: v.fallback(v.number(), 1),
  maxWagerCents: v.fallback(v.nullable(v.number()), null),
  autoResult: v.fallback(v.nullable(v.picklist(autoResults)), null),
  picture: v.optional(v.unknown(), null),
  explanation: v.fallback(v.string(), ""),
  hostNote: v.fallback(v.string(), ""),
});
const removedEvents = v.object({ blueprintEvents: v.array(removedEvent) });
const removedBlueprint = v.object({
  name: v.string(),
  description: v.fallback(v.string(), ""),
  defaults: sessionSettings,
});

/**
 * The latest removals that can be undone: none of what they removed is there again.
 * @param blueprintId only the events of this blueprint; without it, whole blueprints.
 */
export async function listRemovals(db: Queryable, blueprintId: number | undefined): Promise<RemovalView[]> {
  const recent = gt(audit.createdAt, sql`game_now() - make_interval(hours => ${REMOVAL_KEPT_HOURS})`);
  const found = await readRemovals(db, recent);
  const mine = found.filter((removal) =>
    blueprintId === undefined
      ? removal.blueprint !== null
      : removal.blueprint === null && removal.blueprintId === blueprintId,
  );
  const isBack = await readPresent(db, mine);
  return mine
    .filter((removal) => !isBack(removal))
    .slice(0, SHOWN_MAX)
    .map(presentRemoval);
}

function presentRemoval({ id, at, by, blueprintId, blueprint, events }: Removal): RemovalView {
  const titles = events.toSorted((one, other) => one.position - other.position).map(({ title }) => title);
  return { id, blueprintId, name: blueprint?.name ?? null, titles, by, at: at.toISOString() };
}

/** Without lines of another kind, and those of a release before there was an undo. */
async function readRemovals(db: Queryable, where: SQL): Promise<Removal[]> {
  const lines = await db
    .select({ line: audit, by: users.username })
    .from(audit)
    .leftJoin(users, eq(users.id, audit.actorId))
    .where(
      and(
        inArray(audit.subjectType, ["blueprint", "blueprint_event"]),
        inArray(audit.action, actions),
        where,
      ),
    )
    .orderBy(desc(audit.id));
  return lines.flatMap(({ line, by }) => {
    const removed = readBefore(line.before, line.action);
    const blueprintId =
      line.action === "destroy_blueprint" ? line.subjectId : removed?.events[0]?.blueprintId;
    if (removed === null || blueprintId === undefined) return [];
    return [{ id: line.id, at: line.createdAt, by: by ?? "", blueprintId, ...removed }];
  });
}

function readBefore(before: unknown, action: string): Pick<Removal, "blueprint" | "events"> | null {
  if (action === "destroy_blueprint_event") {
    const event = v.safeParse(removedEvent, before);
    return event.success ? { blueprint: null, events: [event.output] } : null;
  }
  const list = v.safeParse(removedEvents, before);
  if (!list.success) return null;
  const events = list.output.blueprintEvents;
  if (action === "destroy_blueprint_events") return { blueprint: null, events };
  const blueprint = v.safeParse(removedBlueprint, before);
  return blueprint.success ? { blueprint: blueprint.output, events } : null;
}

/** Tells whether what was removed is there again, or what it belongs to is not. */
async function readPresent(db: Queryable, removals: readonly Removal[]) {
  const ids = removals.flatMap(({ events }) => events.map(({ id }) => id));
  const ofEvents = anyOf(blueprintEvents.id, ids);
  const ofBlueprints = anyOf(
    blueprints.id,
    removals.map(({ blueprintId }) => blueprintId),
  );
  const [eventRows, blueprintRows] = await Promise.all([
    db.select({ id: blueprintEvents.id }).from(blueprintEvents).where(ofEvents),
    db.select({ id: blueprints.id }).from(blueprints).where(ofBlueprints),
  ]);
  const eventIds = new Set(eventRows.map(({ id }) => id));
  const blueprintIds = new Set(blueprintRows.map(({ id }) => id));
  return ({ blueprint, blueprintId, events }: Removal) =>
    blueprint === null
      ? !blueprintIds.has(blueprintId) || events.some(({ id }) => eventIds.has(id))
      : blueprintIds.has(blueprintId);
}

/**
 * Undoes a removal: a blueprint comes back with its events, events come back to their positions, all under their old ids. What is
 * there again stays as it is. Sessions that were made from a removed blueprint stay without it.
 * @returns the id of the blueprint.
 * @throws Refusal 404 for an unknown removal, and for events whose blueprint is gone; 422 if it is too long ago, or if there is no
 *   room for the events any more.
 */
export function restoreRemoval(
  { pool }: Pick<Deps, "pool">,
  { actor, removalId, now }: { actor: Actor; removalId: number; now: Date },
): Promise<number> {
  return inTransaction(pool.db, async (tx) => {
    const [removal] = await readRemovals(tx, eq(audit.id, removalId));
    if (removal === undefined) throw notFound();
    if (now.getTime() - removal.at.getTime() > REMOVAL_KEPT_HOURS * HOUR_MS) throw tooLate();
    const { blueprintId, blueprint, events } = removal;
    if (blueprint !== null) await restoreBlueprint(tx, { blueprintId, blueprint });
    if ((await lockBlueprint(tx, blueprintId)) === null) throw notFound();
    const restored = await restoreEvents(tx, removal);
    if (blueprint === null && restored.length === 0) return blueprintId;
    const action = blueprint === null ? "restore_blueprint_events" : "restore_blueprint";
    const after = { removalId, blueprintEvents: events };
    await noteEvents(tx, { actor, id: blueprintId, action, after });
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

/**
 * Deletes a blueprint with its events. Stopped sessions that were generated from it stay, without a reference to it, since
 * they hold copies; otherwise a blueprint that was ever played could never be deleted. restoreRemoval brings it back.
 * @throws Refusal 404 for an unknown blueprint; 422 while one of its sessions is pending or live; 409 if its version is no
 *   longer `ifVersion`.
 */
export async function destroyBlueprint(
  { pool }: Pick<Deps, "pool">,
  { blueprintId, actor, ifVersion }: IfVersion & { blueprintId: number; actor: Actor },
): Promise<void> {
  await inTransaction(pool.db, async (tx) => {
    const ofId = eq(blueprints.id, blueprintId);
    const [blueprint] = await tx.select().from(blueprints).where(ofId).for("update");
    if (blueprint === undefined) throw notFound();
    requireVersion({ ifVersion }, blueprint);
    const unfinished = and(eq(sessions.blueprintId, blueprintId), ne(sessions.state, "stopped"));
    const [session] = await tx.select({ slug: sessions.slug }).from(sessions).where(unfinished).limit(1);
    if (session !== undefined)
      throw hasDependents("sessions", `The session ${session.slug} is not over yet.`);
    const events = await listEvents(tx, blueprintId);
    await tx.delete(blueprints).where(ofId);
    const { name, description, defaults } = blueprint;
    const before = { name, description, defaults, blueprintEvents: events.map(termsOf) };
    await auditBlueprint(tx, { actor, id: blueprintId, action: "destroy_blueprint", before });
  });
}

/**
 * Deletes several events of one blueprint, all or none; the others move up. restoreRemoval brings them back.
 * @returns the id of the blueprint.
 * @throws Refusal 422 unless all are of one blueprint.
 */
export function destroyBlueprintEvents(
  { pool }: Pick<Deps, "pool">,
  { actor, ids }: { actor: Actor; ids: readonly number[] },
): Promise<number> {
  return inTransaction(pool.db, async (tx) => {
    const { blueprintId, rows } = await lockEventsOfOne(tx, ids);
    await tx.delete(blueprintEvents).where(anyOf(blueprintEvents.id, [...ids]));
    await renumberEvents(tx, await readOrder(tx, blueprintId));
    const before = { blueprintEvents: rows.map(termsOf) };
    await noteEvents(tx, { actor, id: blueprintId, action: "destroy_blueprint_events", before });
    return blueprintId;
  });
}

/**
 * Deletes an event of a blueprint; the events after it move up. Its copies in sessions stay, without a reference to it.
 * @throws Refusal 404 for an unknown event; 409 if its version is no longer `ifVersion`.
 */
export async function destroyBlueprintEvent(
  { pool }: Pick<Deps, "pool">,
  { blueprintEventId, actor, ifVersion }: IfVersion & { blueprintEventId: number; actor: Actor },
): Promise<void> {
  await inTransaction(pool.db, async (tx) => {
    const event = await lockBlueprintEvent(tx, blueprintEventId);
    requireVersion({ ifVersion }, event);
    await tx.delete(blueprintEvents).where(eq(blueprintEvents.id, event.id));
    await renumberEvents(tx, await readOrder(tx, event.blueprintId));
    await noteEvent(tx, event, { actor, action: "destroy_blueprint_event", before: termsOf(event) });
  });
}

/** Discards the logos and the questions' pictures that nothing has. What was removed keeps its own for as long as it can be brought back. */
export async function sweepPictures({ pool }: Pick<Deps, "pool">): Promise<void> {
  const address = sql`${logoPath("")} || ${blobs.key}`;
  const recent = sql`${audit.createdAt} > game_now() - make_interval(hours => ${REMOVAL_KEPT_HOURS + 1})`;
  await pool.db.execute(sql`
    UPDATE ${blobs} SET discarded_at = clock_timestamp(), attached_at = NULL
    WHERE ${blobs.filename} = ${logoKind.filename} AND ${blobs.uploadedById} IS NULL
      AND ${blobs.attachedAt} IS NOT NULL AND ${blobs.discardedAt} IS NULL
      AND NOT EXISTS (SELECT FROM ${sessions} WHERE ${sessions.settings} #>> '{brand,logo}' = ${address})
      AND NOT EXISTS (SELECT FROM ${blueprints} WHERE ${blueprints.defaults} #>> '{brand,logo}' = ${address})
      AND NOT EXISTS (SELECT FROM ${audit} WHERE ${audit.subjectType} = 'blueprint' AND ${audit.action} = 'destroy_blueprint'
        AND ${recent} AND ${audit.before} #>> '{defaults,brand,logo}' = ${address})`);
  await pool.db.execute(sql`
    UPDATE ${blobs} SET discarded_at = clock_timestamp(), attached_at = NULL
    WHERE ${blobs.filename} = 'question.webp' AND ${blobs.picture}
      AND ${blobs.attachedAt} IS NOT NULL AND ${blobs.discardedAt} IS NULL
      AND NOT EXISTS (SELECT FROM ${eventsTable} WHERE ${eventsTable.picture} ->> 'key' = ${blobs.key})
      AND NOT EXISTS (SELECT FROM ${blueprintEvents} WHERE ${blueprintEvents.picture} ->> 'key' = ${blobs.key})
      AND NOT EXISTS (SELECT FROM ${audit} WHERE ${inArray(audit.subjectType, ["blueprint", "blueprint_event"])}
        AND ${inArray(audit.action, actions)} AND ${recent} AND strpos(${audit.before}::text, ${blobs.key}) > 0)`);
}
