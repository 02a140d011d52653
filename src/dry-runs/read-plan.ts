import { asc, eq } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import { notFound } from "#src/base/refusal.ts";
import { storedSettings } from "#src/show/sessions/schemas.ts";
import { type Plan, plan } from "./schemas.ts";

/**
 * What a dry run plays: the blueprint as it is now, without its ids and its dates.
 * @throws Refusal 404 for an unknown blueprint.
 */
export async function readPlan(db: Queryable, blueprintId: number): Promise<Plan> {
  const [blueprint] = await db.select().from(blueprints).where(eq(blueprints.id, blueprintId)).for("share");
  if (blueprint === undefined) throw notFound();
  const events = await db
    .select()
    .from(blueprintEvents)
    .where(eq(blueprintEvents.blueprintId, blueprintId))
    .orderBy(asc(blueprintEvents.position));
  return v.parse(plan, {
    name: blueprint.name,
    settings: { ...v.parse(storedSettings, blueprint.defaults), private: false },
    events,
  });
}
