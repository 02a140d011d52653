import { and, asc, eq, inArray, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { wholeNumber } from "#db/ledger/query.ts";
import { audit } from "#db/schema/audit.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import {
  eventDetail,
  type EventDetail,
  type LogStep,
  type PlayerSums,
  type SessionDetail,
} from "./read-entries.ts";

const exclusionRows = v.array(
  v.object({
    userId: v.pipe(v.string(), v.toNumber()),
    sessionId: v.nullable(v.pipe(v.string(), v.toNumber())),
    createdAt: v.date(),
  }),
);

const resultRows = v.array(
  v.object({
    atMs: wholeNumber,
    eventId: wholeNumber,
    userId: wholeNumber,
    netCents: wholeNumber,
    isRight: v.boolean(),
  }),
);

const nothingPlayed: PlayerSums = {
  userId: 0,
  played: 0,
  wins: 0,
  losses: 0,
  netCents: 0,
  currentStreak: 0,
  bestStreak: 0,
};

/** What is known of the time before a session had a log; `untilMs`: when its log begins, null if it has none. */
export type DerivedHistory = { steps: LogStep[]; untilMs: number | null };

const beginning = v.object({ created: v.boolean(), atMs: v.nullable(wholeNumber) });

/**
 * Derives what the public saw of a session before it had a log: from the times that its events have kept, from the audit (pauses),
 * and from its results. Earlier rounds, changed texts, delays, corrections and exclusions of that time are unknown.
 * @returns null if the session was created with a log, which is complete then.
 */
export async function deriveHistory(db: Queryable, sessionId: number): Promise<DerivedHistory | null> {
  const [row] = await db.execute(sql`
    SELECT coalesce(bool_or(created AND kind = 'session'), false) AS created,
      floor(extract(epoch FROM min(at)) * 1000) AS "atMs"
    FROM session_log WHERE session_id = ${sessionId}`);
  const { created, atMs: untilMs } = v.parse(beginning, row);
  if (created) return null;
  const steps = [
    ...(await deriveSession(db, sessionId)),
    ...(await deriveEvents(db, sessionId)),
    ...(await deriveScores(db, sessionId, untilMs)),
  ];
  const before = steps.filter(({ atMs }) => untilMs === null || atMs < untilMs);
  return { steps: before.toSorted((one, other) => one.atMs - other.atMs), untilMs };
}

const eventRow = v.object({
  id: wholeNumber,
  detail: eventDetail,
  createdAt: v.date(),
  updatedAt: v.date(),
  /** True if `detail` is the event's first entry in the log, false if it is the event as it is now. */
  logged: v.boolean(),
});
type EventRow = v.InferOutput<typeof eventRow>;

async function deriveEvents(db: Queryable, sessionId: number): Promise<LogStep[]> {
  const rows = await db.execute(sql`
    SELECT e.id, e.created_at AS "createdAt", e.updated_at AS "updatedAt", first.detail IS NOT NULL AS logged,
      coalesce(first.detail, jsonb_build_object(
        'position', e.position, 'title', e.title, 'trueLabel', e.true_label, 'falseLabel', e.false_label,
        'state', e.state, 'round', e.round, 'result', e.result, 'resultReason', e.result_reason,
        'pendingResult', e.pending_result, 'effectiveAt', e.effective_at, 'durationSeconds', e.duration_seconds,
        'publishedAt', e.published_at, 'opensAt', e.opens_at, 'openedAt', e.opened_at, 'closesAt', e.closes_at,
        'closedAt', e.closed_at, 'resolvedAt', e.resolved_at)) AS detail
    FROM ${events} e LEFT JOIN LATERAL (
      SELECT l.detail FROM session_log l
      WHERE l.session_id = e.session_id AND l.kind = 'event' AND l.subject_id = e.id ORDER BY l.id LIMIT 1
    ) first ON true
    WHERE e.session_id = ${sessionId} ORDER BY e.id`);
  return v.parse(v.array(eventRow), [...rows]).flatMap(deriveEvent);
}

/** What an event had reached at each of its times, with nothing that came later. */
function deriveEvent({ id, detail, createdAt, updatedAt, logged }: EventRow): LogStep[] {
  const { publishedAt, openedAt, closedAt, resolvedAt } = detail;
  const draft: EventDetail = {
    ...detail,
    state: "draft",
    publishedAt: null,
    openedAt: null,
    closedAt: null,
    resolvedAt: null,
    result: null,
    resultReason: null,
    pendingResult: null,
    effectiveAt: null,
  };
  const reached: [at: string | null, state: EventDetail][] = [
    [createdAt.toISOString(), draft],
    [publishedAt, { ...draft, state: "visible", publishedAt }],
    [openedAt, { ...draft, state: "open", publishedAt, openedAt }],
    [closedAt, { ...draft, state: "closed", publishedAt, openedAt, closedAt }],
    [resolvedAt, { ...detail, state: "resolved" }],
  ];
  const last = reached.findLast(([at]) => at !== null)?.[1];
  // It was hidden, reset or deleted at some time. Its last change is the closest that is known.
  if (!logged && last?.state !== detail.state) reached.push([updatedAt.toISOString(), detail]);
  return reached.flatMap(([at, state]) =>
    at === null
      ? []
      : {
          atMs: Date.parse(at),
          entries: [{ kind: "event" as const, subjectId: id, created: false, detail: state }],
        },
  );
}

/**
 * The leaderboard before a session had a log, from the results of its events. They have the result that is valid now, from the
 * moment of the first one on.
 * @param untilMs when the log begins; null: there is none.
 */
async function deriveScores(db: Queryable, sessionId: number, untilMs: number | null): Promise<LogStep[]> {
  const rows = await db.execute(sql`
    SELECT ceil(extract(epoch FROM resolved_at) * 1000) AS "atMs", event_id AS "eventId", user_id AS "userId",
      net_cents AS "netCents", net_cents > 0 OR (refunded AND was_unopposed(event_id)) AS "isRight"
    FROM results WHERE session_id = ${sessionId}
      AND resolved_at < coalesce(to_timestamp(${untilMs}::float8 / 1000), 'infinity')
    ORDER BY resolved_at, event_id, user_id`);
  const sums = new Map<number, PlayerSums>();
  return [...Map.groupBy(v.parse(resultRows, [...rows]), ({ eventId }) => eventId).values()].map(
    (results) => ({
      atMs: results[0]?.atMs ?? 0,
      entries: [
        {
          kind: "scores" as const,
          subjectId: sessionId,
          created: false,
          scores: results.map((result) => {
            const next = addResult(result, sums.get(result.userId));
            sums.set(result.userId, next);
            return next;
          }),
        },
      ],
    }),
  );
}

/** Being right extends a streak, a loss ends it, and a push leaves it as it is. */
function addResult(
  { userId, netCents, isRight }: { userId: number; netCents: number; isRight: boolean },
  before: PlayerSums = nothingPlayed,
): PlayerSums {
  const won = netCents > 0 ? 1 : 0;
  const lost = netCents < 0 ? 1 : 0;
  const currentStreak = lost === 1 ? 0 : before.currentStreak + (isRight ? 1 : 0);
  return {
    userId,
    played: before.played + 1,
    wins: before.wins + won,
    losses: before.losses + lost,
    netCents: before.netCents + netCents,
    currentStreak,
    bestStreak: Math.max(before.bestStreak, currentStreak),
  };
}

/** The states of a session by its own times, its pauses by the audit, and the exclusions that are older than the log. */
async function deriveSession(db: Queryable, sessionId: number): Promise<LogStep[]> {
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
