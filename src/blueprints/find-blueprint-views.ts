import { asc, count, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import { notFound } from "#src/base/refusal.ts";
import { presentBlueprint, presentBlueprintEvent } from "./present-blueprint.ts";
import type { BlueprintEventView, BlueprintView } from "./schemas.ts";

/**
 * A page of the blueprints by name, each with its events. Two queries, however many there are.
 * @param named only those with this in their name, in any case; all where it is empty.
 */
export async function findBlueprintPage(
  db: Queryable,
  { named = "", ...page }: { named?: string | undefined; perPage: number; offset: number },
): Promise<{ blueprints: BlueprintView[]; totalCount: number }> {
  const matching =
    named === "" ? undefined : sql`strpos(lower(${blueprints.name}), lower(${named}::text)) > 0`;
  const [rows, [total]] = await Promise.all([
    selectBlueprints(db, matching)
      .orderBy(asc(sql`lower(${blueprints.name})`), asc(blueprints.id))
      .limit(page.perPage)
      .offset(page.offset),
    db.select({ count: count() }).from(blueprints).where(matching),
  ]);
  return { blueprints: await withEvents(db, rows), totalCount: total?.count ?? 0 };
}

/**
 * One blueprint with its events.
 * @throws Refusal 404 where there is none.
 */
export async function findBlueprintView(db: Queryable, blueprintId: number): Promise<BlueprintView> {
  const [view] = await withEvents(db, await selectBlueprints(db, eq(blueprints.id, blueprintId)));
  if (view === undefined) throw notFound();
  return view;
}

/** All events of a blueprint in the order of their positions. */
export async function findBlueprintEventViews(
  db: Queryable,
  blueprintId: number,
): Promise<BlueprintEventView[]> {
  return (await selectEvents(db, [blueprintId])).map(presentBlueprintEvent);
}

/**
 * One event of any blueprint.
 * @throws Refusal 404 where there is none.
 */
export async function findBlueprintEventView(
  db: Queryable,
  blueprintEventId: number,
): Promise<BlueprintEventView> {
  const [row] = await db.select().from(blueprintEvents).where(eq(blueprintEvents.id, blueprintEventId));
  if (row === undefined) throw notFound();
  return presentBlueprintEvent(row);
}

type Found = Awaited<ReturnType<typeof selectBlueprints>>;

async function withEvents(db: Queryable, found: Found): Promise<BlueprintView[]> {
  if (found.length === 0) return [];
  const rows = await selectEvents(
    db,
    found.map(({ blueprint }) => blueprint.id),
  );
  const byBlueprint = Map.groupBy(rows.map(presentBlueprintEvent), (event) => event.blueprintId);
  return found.map(({ blueprint, sessionsCount }) =>
    presentBlueprint(blueprint, { blueprintEvents: byBlueprint.get(blueprint.id) ?? [], sessionsCount }),
  );
}

function selectEvents(db: Queryable, blueprintIds: number[]) {
  return db
    .select()
    .from(blueprintEvents)
    .where(inArray(blueprintEvents.blueprintId, blueprintIds))
    .orderBy(asc(blueprintEvents.blueprintId), asc(blueprintEvents.position));
}

function selectBlueprints(db: Queryable, where?: SQL) {
  // The outer table is spelt out: Drizzle leaves its name off where a query has only one.
  const sessionsCount = sql<number>`(SELECT count(*) FROM sessions s WHERE s.blueprint_id = blueprints.id)::int`;
  return db.select({ blueprint: blueprints, sessionsCount }).from(blueprints).where(where);
}
