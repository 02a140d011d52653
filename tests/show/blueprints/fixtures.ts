import { asc, eq } from "drizzle-orm";
import { audit } from "#db/schema/audit.ts";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { buildBlueprint } from "#tests/support/build.ts";

/** All rows that a change of a blueprint could affect, to compare before and after. */
export async function readEverything({ pool: { db } }: Pick<Deps, "pool">) {
  return {
    blueprints: await db.select().from(blueprints).orderBy(asc(blueprints.id)),
    blueprintEvents: await db.select().from(blueprintEvents).orderBy(asc(blueprintEvents.id)),
    sessions: await db.select().from(sessions).orderBy(asc(sessions.id)),
    auditLines: await db.$count(audit),
  };
}

/** The titles of a blueprint's events by position; throws if the positions are not 1..n. */
export async function readOrder(
  { pool: { db } }: Pick<Deps, "pool">,
  blueprintId: number,
): Promise<string[]> {
  const rows = await db
    .select({
      position: blueprintEvents.position,
      title: blueprintEvents.title,
      of: blueprintEvents.blueprintId,
    })
    .from(blueprintEvents)
    .orderBy(asc(blueprintEvents.position));
  const mine = rows.filter((row) => row.of === blueprintId);
  const gap = mine.findIndex((row, index) => row.position !== index + 1);
  if (gap >= 0) throw new Error(`positions ${mine.map((row) => row.position).join(", ")} are not 1..n`);
  return mine.map((row) => row.title);
}

/** A blueprint with events of these titles, and their ids in order. */
export async function buildTitled(deps: Pick<Deps, "pool">, titles: readonly string[]) {
  const { id } = await buildBlueprint(
    deps,
    titles.map((title) => ({ title })),
  );
  const rows = await deps.pool.db
    .select({ id: blueprintEvents.id })
    .from(blueprintEvents)
    .where(eq(blueprintEvents.blueprintId, id))
    .orderBy(asc(blueprintEvents.position));
  return { id, ids: rows.map((row) => row.id) };
}

/** The events of a blueprint in their order, with all that is stored of them. */
export function readRows({ pool }: Pick<Deps, "pool">, blueprintId: number) {
  return pool.db
    .select()
    .from(blueprintEvents)
    .where(eq(blueprintEvents.blueprintId, blueprintId))
    .orderBy(blueprintEvents.position);
}
