import { desc, eq, sql, type SQL } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { pick } from "#db/pick.ts";
import { blueprints } from "#db/schema/blueprints.ts";
import { dryRuns } from "#db/schema/dry-runs.ts";
import { users } from "#db/schema/users.ts";
import { notFound } from "#src/base/refusal.ts";
import { download } from "#src/http/download.ts";
import { present } from "#src/http/present.ts";
import { site } from "#src/settings/contract.ts";
import { type DryRunAnswer, dryRunOptions, dryRunSchema, type DryRunView, shownReport } from "./schemas.ts";

const LISTED_MAX = 10;
/** A worker gives a sign of life several times a second. */
const STUCK_AFTER_S = 10;

/** The latest dry runs of a blueprint, the newest first. */
export async function listDryRuns(db: Queryable, blueprintId: number): Promise<DryRunView[]> {
  const [blueprint] = await db
    .select({ id: blueprints.id })
    .from(blueprints)
    .where(eq(blueprints.id, blueprintId));
  if (blueprint === undefined) throw notFound();
  const rows = await select(db, eq(dryRuns.blueprintId, blueprintId)).limit(LISTED_MAX);
  return rows.map(presentDryRun);
}

export async function findDryRun(db: Queryable, id: number): Promise<DryRunAnswer> {
  const [row] = await select(db, eq(dryRuns.id, id));
  if (row === undefined) throw notFound();
  const text = await findReport(db, id);
  const report = text === null ? null : v.parse(storedReport, JSON.parse(text));
  return { dryRun: { ...presentDryRun(row), report } };
}

/** The report as it was written; null before the end. */
export async function findReport(db: Queryable, id: number): Promise<string | null> {
  const [row] = await db.select({ report: dryRuns.report }).from(dryRuns).where(eq(dryRuns.id, id));
  return row?.report ?? null;
}

function select(db: Queryable, where: SQL) {
  return db
    .select(columns)
    .from(dryRuns)
    .innerJoin(blueprints, eq(blueprints.id, dryRuns.blueprintId))
    .innerJoin(users, eq(users.id, dryRuns.actorId))
    .where(where)
    .orderBy(desc(dryRuns.id))
    .$dynamic();
}

const isUnfinished = sql`${dryRuns.state} IN ('waiting', 'playing')`;
const columns = {
  id: dryRuns.id,
  blueprintId: dryRuns.blueprintId,
  blueprintName: blueprints.name,
  startedBy: users.username,
  ...pick(dryRuns, "options", "plan", "state", "eventsDone", "callsCount", "failure", "createdAt", "endedAt"),
  outdated: sql<boolean>`${blueprints.updatedAt} > ${dryRuns.createdAt}`,
  aheadCount: sql<number>`(CASE WHEN ${isUnfinished} THEN (
    SELECT count(*) FROM dry_runs ahead WHERE ahead.state IN ('waiting', 'playing') AND ahead.id < ${dryRuns.id}
  ) ELSE 0 END)::int`,
  // Nothing is being played, and this one has waited for a while.
  stuck: sql<boolean>`${isUnfinished} AND ${dryRuns.createdAt} < ${secondsAgo()} AND NOT EXISTS (
    SELECT 1 FROM dry_runs p WHERE p.state = 'playing' AND p.moved_at > ${secondsAgo()})`,
};

function secondsAgo(): SQL {
  return sql`clock_timestamp() - make_interval(secs => ${sql.raw(String(STUCK_AFTER_S))})`;
}

/** Null for a report that only a newer release can read. */
const storedReport = v.fallback(v.nullable(shownReport), null);
/** All that is shown of a plan. */
const countedPlan = v.object({ events: v.array(v.unknown()) });

function presentDryRun(row: Awaited<ReturnType<typeof select>>[number]): DryRunView {
  const eventsCount = v.parse(countedPlan, row.plan).events.length;
  return present(dryRunSchema, { ...row, options: v.parse(dryRunOptions, row.options), eventsCount });
}

/** The report of a dry run as a file, byte for byte as it was written. */
export async function downloadDryRun(db: Queryable, id: number): Promise<Response> {
  const report = await findReport(db, id);
  if (report === null) throw notFound();
  return download(report, `${site().slug}-dry-run-${id}.json`);
}
