import { hostname } from "node:os";
import { and, type Column, desc, eq, gt, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { audit } from "#db/schema/audit.ts";
import { webhooks } from "#db/schema/webhooks.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { readVersion } from "#src/base/read-version.ts";
import { START_ACTION } from "#src/operate/work/starts.ts";
import { HAPPENED_DAYS, HAPPENED_SHOWN, PAUSE_ACTION, RESUME_ACTION, RETRY_ACTION } from "./contract.ts";
import { type ShowView, showsSchema, type StartView, type SwitchView } from "./schemas.ts";

const started = v.object({
  process: v.fallback(v.string(), ""),
  /** Earlier releases do not write it. */
  release: v.fallback(v.nullable(v.string()), null),
});
const text = v.fallback(v.nullable(v.string()), null);
const switched = v.fallback(v.object({ queue: text, name: text }), { queue: null, name: null });

const firstDay = sql`game_now() - make_interval(days => ${HAPPENED_DAYS})`;
/** Whether it has happened before this moment; undefined: until now. */
const isListed = (at: Column, before?: Date) =>
  and(gt(at, firstDay), before === undefined ? undefined : lt(at, before));

/**
 * Records in the audit log that this process has started: no table of its own, and sealed like all other entries. Without it the
 * process works as well, so a failure is only logged.
 * @param name "web", "web-2", "worker"
 */
export async function recordStart(
  { env, pool, log }: Pick<Deps, "env" | "pool" | "log">,
  name: string,
): Promise<void> {
  try {
    await writeAudit(pool.db, {
      actor: null,
      action: START_ACTION,
      subject: { type: "process", id: process.pid },
      sessionId: null,
      before: {},
      after: { process: name, release: readVersion(env).release, host: hostname() },
    });
  } catch (error) {
    log.warn({ err: error }, "the start of the process could not be recorded");
  }
}

/** The starts of processes, the newest first. */
export async function listStarts(db: Queryable, before?: Date): Promise<StartView[]> {
  const rows = await db
    .select({ pid: audit.subjectId, after: audit.after, createdAt: audit.createdAt })
    .from(audit)
    .where(
      and(
        eq(audit.subjectType, "process"),
        eq(audit.action, START_ACTION),
        isListed(audit.createdAt, before),
      ),
    )
    .orderBy(desc(audit.id))
    .limit(HAPPENED_SHOWN);
  return rows.map(({ pid, after, createdAt }) => {
    const { process: name, release } = v.parse(started, after);
    return { process: name, pid, release, startedAt: createdAt.toISOString() };
  });
}

/** What admins, or the product itself, have switched: queues and webhooks. The newest first. */
export async function listSwitches(db: Queryable, before?: Date): Promise<SwitchView[]> {
  const ofQueues = inArray(audit.action, [PAUSE_ACTION, RESUME_ACTION, RETRY_ACTION]);
  const rows = await db
    .select({
      action: audit.action,
      before: audit.before,
      after: audit.after,
      name: webhooks.name,
      createdAt: audit.createdAt,
    })
    .from(audit)
    .leftJoin(webhooks, and(eq(audit.subjectType, "webhook"), eq(webhooks.id, audit.subjectId)))
    .where(
      and(
        or(eq(audit.subjectType, "webhook"), and(eq(audit.subjectType, "process"), ofQueues)),
        isListed(audit.createdAt, before),
      ),
    )
    .orderBy(desc(audit.id))
    .limit(HAPPENED_SHOWN);
  return rows.map(({ action, before: old, after, name, createdAt }) => ({
    action,
    name: v.parse(switched, after).queue ?? name ?? v.parse(switched, old).name ?? "",
    at: createdAt.toISOString(),
  }));
}

/** When sessions began and ended, the newest first. The demo's own, which follow each other day and night, are left out. */
export async function listShows(db: Queryable, before?: Date): Promise<ShowView[]> {
  const until = sql`${before?.toISOString() ?? "infinity"}::timestamptz`;
  const moments = (what: string, at: SQL) => sql`
    (SELECT CASE WHEN is_private THEN null ELSE name END AS name, CASE WHEN is_private THEN null ELSE slug END AS slug,
      ${what}::text AS what, ${at} AS moment, to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
    FROM sessions, LATERAL (SELECT coalesce((settings->>'private')::boolean, false) AS is_private) AS settled
    WHERE ${at} > ${firstDay} AND ${at} < ${until} AND NOT rehearsal
    ORDER BY ${at} DESC LIMIT ${HAPPENED_SHOWN})`;
  const rows =
    await db.execute(sql`${moments("began", sql`started_at`)} UNION ALL ${moments("ended", sql`stopped_at`)}
    ORDER BY moment DESC LIMIT ${HAPPENED_SHOWN}`);
  return v.parse(showsSchema, [...rows]);
}
