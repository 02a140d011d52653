import { and, eq, sql } from "drizzle-orm";
import { audit } from "#db/schema/audit.ts";
import { events } from "#db/schema/events.ts";
import { settlements } from "#db/schema/ledger.ts";
import { outbox } from "#db/schema/outbox.ts";
import { sessionLog } from "#db/schema/session-log.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Alarm } from "#src/base/queues.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession, readEvent } from "#tests/support/build.ts";
import { setRows } from "#tests/support/rows.ts";

/** The state that a transition leads to. */
export const stateAfter = {
  publish_event: "visible",
  open_event: "open",
  close_event: "closed",
  resolve: "resolved",
} as const satisfies Record<Alarm["transition"], EventRow["state"]>;
const stateBefore = {
  publish_event: "draft",
  open_event: "visible",
  close_event: "open",
  resolve: "closed",
} as const satisfies Record<Alarm["transition"], EventRow["state"]>;
export const transitions = Object.keys(stateAfter).filter(
  (name): name is Alarm["transition"] => name in stateAfter,
);

type Terms = Parameters<typeof buildEvent>[2];

/**
 * An event of a running session whose next transition is due in `dueInMs`; below 0 it is late. A result is a planned one, and has a call on
 * each side. No alarm is set.
 */
export async function buildDue(
  deps: Deps,
  transition: Alarm["transition"],
  dueInMs: number,
  terms: Terms = {},
): Promise<EventRow> {
  const sessionId = terms.sessionId ?? (await buildRunningSession(deps)).id;
  const state = stateBefore[transition];
  const isResult = transition === "resolve";
  const built = await buildEvent(deps, isResult ? "open" : state, {
    sessionId,
    resolveWithinSeconds: 600,
    ...(isResult ? { autoResult: "true" } : {}),
    ...terms,
  });
  if (isResult) await closeWithCalls(deps, built.id);
  const due = sql`game_now() + make_interval(secs => ${dueInMs / 1_000}::float8)`;
  await setRows(deps.pool.db, events, built.id, {
    nextTransition: transition,
    dueAt: due,
    scheduleVersion: sql`${events.scheduleVersion} + 1`,
    ...(transition === "publish_event" ? { opensAt: sql`${due} + interval '10 minutes'` } : {}),
    ...(transition === "open_event" ? { opensAt: due } : {}),
    ...(transition === "close_event" ? { opensAt: sql`${due} - interval '30 seconds'`, closesAt: due } : {}),
  });
  return readEvent(deps, built.id);
}

async function closeWithCalls(deps: Deps, eventId: number): Promise<void> {
  for (const side of ["true", "false"] as const) {
    const { id: userId } = await buildPlayer(deps);
    await buildCall(deps, { userId, eventId, side });
  }
  await closeEvent(deps, { eventId, actor: null });
}

/** What the transitions of this name have left behind for an event: rows of each table. */
export async function countTraces({ pool: { db } }: Deps, eventId: number, transition: Alarm["transition"]) {
  const [facts, lines, settled, logged] = await Promise.all([
    db.$count(
      outbox,
      and(
        eq(outbox.kind, "event_changed"),
        sql`${outbox.payload} ->> 'change' = ${transition}`,
        sql`${outbox.payload} ->> 'eventId' = ${String(eventId)}`,
      ),
    ),
    db.$count(
      audit,
      and(eq(audit.action, transition), eq(audit.subjectType, "event"), eq(audit.subjectId, eventId)),
    ),
    db.$count(settlements, eq(settlements.eventId, eventId)),
    db.$count(
      sessionLog,
      and(
        eq(sessionLog.kind, "event"),
        eq(sessionLog.subjectId, eventId),
        sql`${sessionLog.detail} ->> 'state' = ${stateAfter[transition]}`,
      ),
    ),
  ]);
  return { facts, lines, settled, logged };
}
