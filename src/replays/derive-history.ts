import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { wholeNumber } from "#db/ledger/query.ts";
import { events } from "#db/schema/events.ts";
import { deriveScores } from "./derive-scores.ts";
import { deriveSession } from "./derive-session.ts";
import { type EventDetail, eventDetail, type LogStep } from "./read-entries.ts";

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
