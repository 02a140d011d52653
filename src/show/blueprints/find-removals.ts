import { and, desc, eq, gt, inArray, sql, type SQL } from "drizzle-orm";
import * as v from "valibot";
import { anyOf } from "#db/any-of.ts";
import type { Queryable } from "#db/client.ts";
import { autoResults, startModes } from "#db/lists/events.ts";
import { audit } from "#db/schema/audit.ts";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import { users } from "#db/schema/users.ts";
import { rowId } from "#src/http/schemas.ts";
import { sessionSettings } from "#src/show/sessions/schemas.ts";
import { REMOVAL_KEPT_HOURS } from "./contract.ts";
import type { RemovalView } from "./schemas.ts";

// Decision: a removal is undone from its line in the audit log, which has all that was removed. So nothing is kept a second time,
// no read has to skip what is removed, and an undo brings back the same ids.

/** A removal, with the rows as they were. `name`: that of a whole blueprint; null for some of its events. */
export type Removal = {
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
});
const removedEvents = v.object({ blueprintEvents: v.array(removedEvent) });
const removedBlueprint = v.object({
  name: v.string(),
  description: v.fallback(v.string(), ""),
  defaults: sessionSettings,
});

/** The removal of an audit line; null for a line of another kind, and for one of a release before there was an undo. */
export async function findRemoval(db: Queryable, removalId: number): Promise<Removal | null> {
  return (await readRemovals(db, eq(audit.id, removalId)))[0] ?? null;
}

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
