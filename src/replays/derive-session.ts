import { and, asc, eq, inArray, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { audit } from "#db/schema/audit.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { LogStep, SessionDetail } from "./read-entries.ts";

const exclusionRows = v.array(
  v.object({
    userId: v.pipe(v.string(), v.toNumber()),
    sessionId: v.nullable(v.pipe(v.string(), v.toNumber())),
    createdAt: v.date(),
  }),
);

/** The states of a session by its own times, its pauses by the audit, and the exclusions that are older than the log. */
export async function deriveSession(db: Queryable, sessionId: number): Promise<LogStep[]> {
  const [row] = await db.select().from(sessions).where(eq(sessions.id, sessionId));
  if (row === undefined) return [];
  const pauses = await db
    .select({ action: audit.action, at: audit.createdAt })
    .from(audit)
    .where(
      and(
        eq(audit.sessionId, sessionId),
        eq(audit.subjectType, "session"),
        inArray(audit.action, ["pause", "resume"]),
      ),
    )
    .orderBy(asc(audit.id));
  const { name, startsAt, startedAt, stoppedAt } = row;
  const pending: SessionDetail = {
    name,
    state: "pending",
    startsAt: startsAt?.toISOString() ?? null,
    startedAt: null,
    pausedAt: null,
    stoppedAt: null,
  };
  const running: SessionDetail = {
    ...pending,
    state: "running",
    startedAt: startedAt?.toISOString() ?? null,
  };
  const stopped: SessionDetail = {
    ...running,
    state: "stopped",
    stoppedAt: stoppedAt?.toISOString() ?? null,
  };
  return [
    stepOf(sessionId, row.createdAt, pending),
    ...(startedAt === null ? [] : [stepOf(sessionId, startedAt, running)]),
    ...pauses.map(({ action, at }) =>
      stepOf(
        sessionId,
        at,
        action === "pause" ? { ...running, state: "paused", pausedAt: at.toISOString() } : running,
      ),
    ),
    ...(stoppedAt === null ? [] : [stepOf(sessionId, stoppedAt, stopped)]),
    ...(await deriveExclusions(db, sessionId)),
  ];
}

function stepOf(sessionId: number, at: Date, detail: SessionDetail): LogStep {
  return { atMs: at.getTime(), entries: [{ kind: "session", subjectId: sessionId, created: false, detail }] };
}

async function deriveExclusions(db: Queryable, sessionId: number): Promise<LogStep[]> {
  const rows = await db.execute(sql`
    SELECT x.user_id AS "userId", x.session_id AS "sessionId", x.created_at AS "createdAt" FROM exclusions x
    WHERE (x.session_id = ${sessionId} OR x.session_id IS NULL) AND NOT EXISTS (
      SELECT FROM session_log l WHERE l.kind = 'exclusion' AND l.subject_id = x.user_id
        AND l.session_id IS NOT DISTINCT FROM x.session_id
    )`);
  return v.parse(exclusionRows, [...rows]).map(({ userId, sessionId: scope, createdAt }) => ({
    atMs: createdAt.getTime(),
    entries: [
      {
        kind: "exclusion" as const,
        subjectId: userId,
        created: false,
        sessionId: scope,
        detail: { excluded: true },
      },
    ],
  }));
}
