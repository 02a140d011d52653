import { asc, eq, sql, type SQL } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { anyOf } from "#db/ledger/query.ts";
import { autoResults, startModes } from "#db/lists/events.ts";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import { present } from "#src/http/present.ts";
import { autoResultLabel, startModeLabel } from "#src/show/events/contract.ts";
import { presentPicture } from "#src/show/events/question-picture.ts";
import { sessionSettings } from "#src/show/sessions/schemas.ts";
import { blueprintLimits as limits, offeredDurations } from "./contract.ts";
import {
  blueprintEventSchema,
  type BlueprintEventView,
  type BlueprintOptions,
  type BlueprintsAnswer,
  blueprintSchema,
  type BlueprintsQuery,
  type BlueprintView,
  type EditBlueprintAnswer,
  type NewBlueprintAnswer,
} from "./schemas.ts";
import type { BlueprintEventRow, BlueprintRow } from "./with-blueprint.ts";

/**
 * A page of the blueprints by name, each with its events; the number of queries does not depend on the page.
 * @param query `name`: only blueprints whose name contains this, in any case; empty or left out: all.
 */
export async function listBlueprints(
  db: Queryable,
  { query: { name = "" }, page }: { query: BlueprintsQuery; page: Page },
  now: Date,
): Promise<BlueprintsAnswer> {
  const matching = name === "" ? undefined : sql`strpos(lower(${blueprints.name}), lower(${name}::text)) > 0`;
  const [rows, totalCount] = await Promise.all([
    selectBlueprints(db, matching)
      .orderBy(asc(naturalName), asc(sql`lower(${blueprints.name})`), asc(blueprints.id))
      .limit(page.perPage)
      .offset(page.offset),
    db.$count(blueprints, matching),
  ]);
  return { blueprints: await withEvents(db, rows), meta: listMeta(page, totalCount, now) };
}

export async function findBlueprintView(db: Queryable, blueprintId: number): Promise<BlueprintView> {
  const [view] = await withEvents(db, await selectBlueprints(db, eq(blueprints.id, blueprintId)));
  if (view === undefined) throw notFound();
  return view;
}

export async function showBlueprint({ pool }: Deps, id: number): Promise<{ blueprint: BlueprintView }> {
  return { blueprint: await findBlueprintView(pool.db, id) };
}

export async function listBlueprintEvents(
  { pool }: Deps,
  blueprintId: number,
): Promise<{ blueprintEvents: BlueprintEventView[] }> {
  return { blueprintEvents: (await selectEvents(pool.db, [blueprintId])).map(presentBlueprintEvent) };
}

export async function showBlueprintEvent(
  { pool }: Deps,
  id: number,
): Promise<{ blueprintEvent: BlueprintEventView }> {
  const [row] = await pool.db.select().from(blueprintEvents).where(eq(blueprintEvents.id, id));
  if (row === undefined) throw notFound();
  return { blueprintEvent: presentBlueprintEvent(row) };
}

/** The name with its numbers padded to its greatest length, so that "Round 2" comes before "Round 10". */
const naturalName = sql`regexp_replace(
  regexp_replace(lower(${blueprints.name}), '([0-9]+)', repeat('0', ${limits.nameLengthMax}) || '\\1', 'g'),
  '[0-9]*([0-9]{' || ${limits.nameLengthMax} || '})', '\\1', 'g')`;

type BlueprintRows = Awaited<ReturnType<typeof selectBlueprints>>;

async function withEvents(db: Queryable, blueprintRows: BlueprintRows): Promise<BlueprintView[]> {
  if (blueprintRows.length === 0) return [];
  const rows = await selectEvents(
    db,
    blueprintRows.map(({ blueprint }) => blueprint.id),
  );
  const byBlueprint = Map.groupBy(rows.map(presentBlueprintEvent), (event) => event.blueprintId);
  return blueprintRows.map(({ blueprint, sessionsCount }) =>
    presentBlueprint(blueprint, { blueprintEvents: byBlueprint.get(blueprint.id) ?? [], sessionsCount }),
  );
}

function selectEvents(db: Queryable, blueprintIds: number[]) {
  return db
    .select()
    .from(blueprintEvents)
    .where(anyOf(blueprintEvents.blueprintId, blueprintIds))
    .orderBy(asc(blueprintEvents.blueprintId), asc(blueprintEvents.position));
}

function selectBlueprints(db: Queryable, where?: SQL) {
  // `blueprints.id` is written out: Drizzle omits the table's name in a query with only one table.
  const sessionsCount = sql<number>`(SELECT count(*) FROM sessions s WHERE s.blueprint_id = blueprints.id)::int`;
  return db.select({ blueprint: blueprints, sessionsCount }).from(blueprints).where(where);
}

export function presentBlueprint(
  row: BlueprintRow,
  more: Pick<BlueprintView, "blueprintEvents" | "sessionsCount">,
): BlueprintView {
  return present(blueprintSchema, { ...row, ...more, defaults: v.parse(sessionSettings, row.defaults) });
}

function presentBlueprintEvent(row: BlueprintEventRow): BlueprintEventView {
  const picture = presentPicture(row.picture, `/api/v1/blueprint_events/${row.id}`);
  return present(blueprintEventSchema, { ...row, picture });
}

export function offerNewBlueprint(): NewBlueprintAnswer {
  const blueprint = {
    id: null,
    name: "",
    description: "",
    defaults: v.parse(sessionSettings, {}),
    blueprintEvents: [],
    sessionsCount: 0,
  };
  return { blueprint, options };
}

export async function offerBlueprint(db: Queryable, blueprintId: number): Promise<EditBlueprintAnswer> {
  return { blueprint: await findBlueprintView(db, blueprintId), options };
}

const options: BlueprintOptions = {
  startModes: startModes.map((value) => ({ value, label: startModeLabel(value) })),
  autoResults: autoResults.map((value) => ({ value, label: autoResultLabel(value) })),
  durations: offeredDurations,
  limits,
  // The same as the column defaults of blueprint_events.
  blueprintEvent: {
    description: "",
    picture: null,
    explanation: "",
    hostNote: "",
    trueLabel: "True",
    falseLabel: "False",
    startMode: "after_previous",
    offsetSeconds: 0,
    durationSeconds: 30,
    resolveWithinSeconds: 60,
    minWager: 0.01,
    minWagerCents: 1,
    maxWager: null,
    maxWagerCents: null,
    autoResult: null,
  },
};
