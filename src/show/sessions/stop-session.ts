import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { writeFacts } from "#src/base/outbox/write-fact.ts";
import { takeBackOwnCalls } from "#src/play/calls/take-back-own-calls.ts";
import { closeLockedEvents } from "#src/show/events/close-event.ts";
import { writeUpdateFacts } from "#src/show/events/move-event.ts";
import { voidAfter } from "#src/show/events/schedule.ts";
import { clockText, type EventRow } from "#src/show/events/with-event.ts";
import { sessionTransitions } from "./contract.ts";
import { gateEvents } from "./gate-events.ts";
import { moveSession, requireTransition } from "./move-session.ts";
import { notifyResults } from "./notify-players.ts";
import { type LockedSession, type SessionCommand, type SessionRow, withSession } from "./with-session.ts";

/**
 * Stops a session for good and makes it inactive. Open events close, events that never opened are hidden, and closed ones wait
 * for an admin's result. A result that waits for its settlement delay is paid when the delay is over: the admin has already
 * decided it. The actor's own calls on open events are taken back.
 * @throws Refusal 422 unless it is running or paused.
 */
export function stopSession(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return withSession(deps, command, async (tx, locked) => {
    requireTransition(locked, "stop");
    await gateEvents(tx, locked.session.id, ["open"]);
    const takenBackCents = await takeBackOwnCalls(tx, locked);
    await restartTimers(tx, locked);
    await closeOpenEvents(tx, locked);
    await hideUnopenedEvents(tx, locked);
    const waiting = await scheduleVoiding(tx, locked);
    // The moment at which these are paid is known now, also if the session was paused.
    await writeUpdateFacts(
      tx,
      waiting.filter(({ pendingResult }) => pendingResult !== null),
    );
    const session = await moveSession(tx, { ...locked, takenBackCents }, "stop", {
      state: sessionTransitions.stop.to,
      active: false,
      pausedAt: null,
      stoppedAt: sql`${locked.at}::timestamptz`,
    });
    await notifyResults(tx, session);
    return { session, rescheduled: waiting };
  });
}

/**
 * Restarts the timers of a paused session, since it will not be resumed: those of planned and pending results, and the close
 * of an open event, from which the time of its planned result is computed.
 */
async function restartTimers(tx: Transaction, { session, at }: LockedSession): Promise<void> {
  if (session.pausedAt === null) return;
  const pause = sql`${at}::timestamptz - (SELECT paused_at FROM sessions WHERE id = ${session.id})`;
  await tx
    .update(events)
    .set({ closesAt: sql`${events.closesAt} + (${pause})` })
    .where(and(eq(events.sessionId, session.id), eq(events.state, "open")));
  await tx
    .update(events)
    .set({
      dueAt: sql`${at}::timestamptz + ${events.remainingMs} * interval '1 millisecond'`,
      remainingMs: null,
      ...touched(at),
    })
    .where(and(eq(events.sessionId, session.id), eq(events.state, "closed"), isNotNull(events.remainingMs)));
}

/** The caller holds their gates. */
async function closeOpenEvents(tx: Transaction, { session, actor }: LockedSession): Promise<void> {
  const open = and(eq(events.sessionId, session.id), eq(events.state, "open"));
  const rows = await tx
    .select({ event: events, at: clockText })
    .from(events)
    .where(open)
    .orderBy(asc(events.id))
    .for("no key update");
  // From here on their clock runs, even if the session was paused.
  const stopped = { ...session, pausedAt: null };
  await closeLockedEvents(
    tx,
    rows.map((row) => ({ ...row, session: stopped, actor, timed: false, planned: [] })),
  );
}

/** These never had a call. A draft becomes visible first: the transition table has no transition from draft to hidden. */
async function hideUnopenedEvents(tx: Transaction, { session, at }: LockedSession): Promise<void> {
  const ofSession = eq(events.sessionId, session.id);
  await tx
    .update(events)
    .set({ state: "visible" })
    .where(and(ofSession, eq(events.state, "draft")));
  const hidden = await tx
    .update(events)
    .set({ state: "hidden", nextTransition: null, dueAt: null, remainingMs: null, ...touched(at) })
    .where(and(ofSession, eq(events.state, "visible")))
    .returning({ id: events.id });
  await writeFacts(
    tx,
    hidden.map(({ id }) => ({ kind: "event_changed", eventId: id, change: "hide" })),
  );
}

/** @returns every closed event of the session, with its next timed transition. */
async function scheduleVoiding(tx: Transaction, { session, at }: LockedSession): Promise<EventRow[]> {
  const closed = and(eq(events.sessionId, session.id), eq(events.state, "closed"));
  await tx
    .update(events)
    .set({
      nextTransition: "resolve",
      dueAt: voidAfter(at),
      ...touched(at),
    })
    .where(and(closed, isNull(events.nextTransition)));
  return tx.select().from(events).where(closed);
}

const touched = (at: string) => ({
  scheduleVersion: sql`${events.scheduleVersion} + 1`,
  version: sql`${events.version} + 1`,
  updatedAt: sql`${at}::timestamptz`,
});
