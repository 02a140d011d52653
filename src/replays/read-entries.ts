import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryRows, wholeNumber, writeIntegerArray } from "#db/ledger/query.ts";
import { eventStates, results } from "#db/lists/events.ts";
import { logKinds } from "#db/lists/replays.ts";
import { sessionStates } from "#db/lists/sessions.ts";

/** How many steps are read at once: a part of a large settlement is one step with up to 500 scores. */
const STEPS_READ = 200;

/** Postgres writes times into JSON with an offset and microseconds. */
const time = v.pipe(
  v.string(),
  v.transform((text) => new Date(text).toISOString()),
);
const maybeTime = v.nullable(time);

const sessionDetail = v.object({
  name: v.string(),
  state: v.fallback(v.picklist(sessionStates), "paused"),
  startsAt: maybeTime,
  startedAt: maybeTime,
  pausedAt: maybeTime,
  stoppedAt: maybeTime,
});

const eventDetail = v.object({
  position: v.number(),
  title: v.string(),
  /** Entries of another release have neither. */
  picture: v.optional(v.unknown()),
  explanation: v.fallback(v.string(), ""),
  trueLabel: v.string(),
  falseLabel: v.string(),
  /** A state of a newer release is shown to admins only. */
  state: v.fallback(v.picklist(eventStates), "hidden"),
  round: v.number(),
  result: v.fallback(v.nullable(v.picklist(results)), null),
  resultReason: v.nullable(v.string()),
  pendingResult: v.fallback(v.nullable(v.picklist(results)), null),
  effectiveAt: maybeTime,
  durationSeconds: v.number(),
  publishedAt: maybeTime,
  opensAt: maybeTime,
  openedAt: maybeTime,
  closesAt: maybeTime,
  closedAt: maybeTime,
  resolvedAt: maybeTime,
});
export type EventDetail = v.InferOutput<typeof eventDetail>;

/** A player's sums after a change; see the table `session_log`. */
export type PlayerSums = {
  userId: number;
  played: number;
  wins: number;
  losses: number;
  netCents: number;
  currentStreak: number;
  bestStreak: number;
};

const scoreRow = v.pipe(
  v.tuple([v.number(), v.number(), v.number(), v.number(), v.number(), v.number(), v.number(), v.number()]),
  v.transform(([userId, played, wins, losses, netCents, , currentStreak, bestStreak]): PlayerSums => ({
    userId,
    played,
    wins,
    losses,
    netCents,
    currentStreak,
    bestStreak,
  })),
);

const common = { subjectId: wholeNumber, created: v.boolean() };
const entry = v.variant("kind", [
  v.object({ kind: v.literal("session"), ...common, detail: sessionDetail }),
  v.object({ kind: v.literal("event"), ...common, detail: v.nullable(eventDetail) }),
  v.object({ kind: v.literal("scores"), ...common, scores: v.array(scoreRow) }),
  v.object({
    kind: v.literal("exclusion"),
    ...common,
    /** Null: from every leaderboard. */
    sessionId: v.nullable(wholeNumber),
    detail: v.object({ excluded: v.boolean() }),
  }),
  v.object({ kind: v.literal("guest"), ...common, detail: v.object({ guest: v.boolean() }) }),
]);
export type LogEntry = v.InferOutput<typeof entry>;
/** The entries of one transaction, and when the last of them was written. */
type LogStep = { atMs: number; entries: LogEntry[] };

const indexRow = v.object({ step: wholeNumber, atMs: wholeNumber });

/**
 * Reads the log of a session, step by step, in the order in which the steps became visible. An entry about a player on all
 * leaderboards is in it if the player has a score in the session.
 */
export async function* readEntries(db: Queryable, sessionId: number): AsyncGenerator<LogStep> {
  const steps = await queryRows(db, indexRow)`
    SELECT step, ceil(extract(epoch FROM max(at)) * 1000) AS "atMs" FROM (
      SELECT id, step, at FROM session_log WHERE session_id = ${sessionId}
      UNION ALL
      SELECT l.id, l.step, l.at FROM scores s JOIN session_log l ON l.session_id IS NULL
        AND l.kind IN ('exclusion', 'guest') AND l.subject_id = s.user_id
      WHERE s.session_id = ${sessionId}
    ) log GROUP BY step ORDER BY 2, max(id)`;
  for (let from = 0; from < steps.length; from += STEPS_READ) {
    const some = steps.slice(from, from + STEPS_READ);
    const byStep = Map.groupBy(await readRows(db, sessionId, some), ({ step }) => step);
    for (const { step, atMs } of some) {
      yield { atMs, entries: (byStep.get(step) ?? []).flatMap(({ entry: read }) => read ?? []) };
    }
  }
}

/** Null for an entry of a kind that only a newer release knows. */
const stepRow = v.pipe(
  v.looseObject({ step: wholeNumber, kind: v.string() }),
  v.transform((row) => ({ step: row.step, entry: isKnown(row.kind) ? v.parse(entry, row) : null })),
);

function isKnown(kind: string): boolean {
  return logKinds.some((known) => known === kind);
}

function readRows(db: Queryable, sessionId: number, steps: readonly { step: number }[]) {
  return queryRows(db, stepRow)`
    SELECT step, session_id AS "sessionId", kind, subject_id AS "subjectId", created, detail,
      array_to_json(scores) AS scores
    FROM session_log
    WHERE step = ANY (${writeIntegerArray(steps.map(({ step }) => step))}::bigint[])
      AND (session_id = ${sessionId} OR session_id IS NULL)
    ORDER BY id`;
}
