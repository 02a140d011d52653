import { and, desc, eq, gt, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { audit } from "#db/schema/audit.ts";
import { webhooks } from "#db/schema/webhooks.ts";
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

/** What the audit has of these in the last days, the newest first. @param before it was before this moment; undefined: until now. */
function listAudited(db: Queryable, which: SQL | undefined, before?: Date) {
  const { action, subjectType, subjectId, before: old, after, createdAt } = audit;
  const isBefore = before === undefined ? undefined : lt(createdAt, before);
  return db
    .select({ action, subjectId, before: old, after, webhook: webhooks.name, createdAt })
    .from(audit)
    .leftJoin(webhooks, and(eq(subjectType, "webhook"), eq(webhooks.id, subjectId)))
    .where(and(which, gt(createdAt, firstDay), isBefore))
    .orderBy(desc(audit.id))
    .limit(HAPPENED_SHOWN);
}

const isOfProcess = (...actions: string[]) =>
  and(eq(audit.subjectType, "process"), inArray(audit.action, actions));

export async function listStarts(db: Queryable, before?: Date): Promise<StartView[]> {
  const rows = await listAudited(db, isOfProcess(START_ACTION), before);
  return rows.map(({ subjectId: pid, after, createdAt }) => {
    const { process: name, release } = v.parse(started, after);
    return { process: name, pid, release, startedAt: createdAt.toISOString() };
  });
}

/** What admins, or the product itself, have switched: queues, webhooks, and what is off for the whole site. The newest first. */
export async function listSwitches(db: Queryable, before?: Date): Promise<SwitchView[]> {
  const ofQueues = isOfProcess(PAUSE_ACTION, RESUME_ACTION, RETRY_ACTION);
  const rows = await listAudited(db, or(inArray(audit.subjectType, ["webhook", "switch"]), ofQueues), before);
  return rows.map(({ action, before: old, after, webhook, createdAt }) => ({
    action,
    name: v.parse(switched, after).queue ?? webhook ?? v.parse(switched, old).name ?? "",
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
