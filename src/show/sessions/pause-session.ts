import { and, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { takeBackOwnCalls } from "#src/play/calls/require-no-stake.ts";
import { ofSession, writeEvents } from "#src/show/events/events-of-session.ts";
import { writeUpdateFacts } from "#src/show/events/move-event.ts";
import { remainingMs } from "#src/show/events/schedule.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { sessionTransitions } from "./contract.ts";
import {
  gateEvents,
  type LockedSession,
  moveSession,
  requireTransition,
  type SessionCommand,
  type SessionRow,
  withSession,
} from "./with-session.ts";

/** When it is shown again, it may still open at its planned moment. */
const hiddenBeforeItOpened = and(eq(events.state, "hidden"), isNull(events.openedAt));

/**
 * Pauses a session: until it resumes no timed transition happens and no call is accepted. Each timed transition stores its
 * remaining milliseconds; alarms that are already set do nothing. The actor's own calls on open events are taken back.
 */
export function pauseSession(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return withSession(deps, command, async (tx, locked) => {
    requireTransition(locked, "pause");
    const at = await gateEvents(tx, locked.session.id, ["open"]);
    const takenBackCents = await takeBackOwnCalls(tx, locked);
    return pauseLockedSession(tx, { ...locked, at, takenBackCents });
  });
}

/** Pauses a running session as part of a larger change. The caller holds the gates of its open events, if it has any. */
export async function pauseLockedSession(
  tx: Transaction,
  locked: LockedSession & { takenBackCents?: number },
): Promise<SessionRow> {
  await storeRemaining(tx, locked);
  return moveSession(tx, locked, "pause", {
    state: sessionTransitions.pause.to,
    pausedAt: sql`${locked.at}::timestamptz`,
  });
}

async function storeRemaining(tx: Transaction, { session, at }: LockedSession): Promise<void> {
  await tx
    .update(events)
    .set({
      remainingMs: remainingMs(sql`${events.dueAt}`, at),
      dueAt: null,
      scheduleVersion: sql`${events.scheduleVersion} + 1`,
    })
    .where(and(ofSession(session, "draft", "visible", "open", "closed"), isNotNull(events.dueAt)));
}

/**
 * Resumes a paused session: every planned moment moves by the length of the pause, and each timed transition is due after its
 * remaining time.
 */
export function resumeSession(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return withSession(deps, command, async (tx, locked) => {
    requireTransition(locked, "resume");
    const at = await gateEvents(tx, locked.session.id, ["open"]);
    locked.rescheduled.push(...(await shiftSchedule(tx, { ...locked, at })));
    const changes = { state: sessionTransitions.resume.to, pausedAt: null };
    return moveSession(tx, { ...locked, at }, "resume", changes);
  });
}

async function shiftSchedule(tx: Transaction, { session, at }: LockedSession): Promise<EventRow[]> {
  const now = sql`${at}::timestamptz`;
  const pausedAt = sql`(SELECT paused_at FROM sessions WHERE id = ${session.id})`;
  const shifted = (moment: AnyPgColumn) => sql`${moment} + (${now} - ${pausedAt})`;
  const opensAt = sql`CASE WHEN ${events.state} IN ('draft', 'visible', 'hidden') THEN ${shifted(events.opensAt)} ELSE ${events.opensAt} END`;
  const closesAt = sql`CASE WHEN ${events.state} <> 'closed' THEN ${shifted(events.closesAt)} ELSE ${events.closesAt} END`;
  const where = and(
    eq(events.sessionId, session.id),
    or(inArray(events.state, ["draft", "visible", "open", "closed"]), hiddenBeforeItOpened),
    or(isNotNull(events.opensAt), isNotNull(events.nextTransition)),
  );
  const rows = await writeEvents(
    tx,
    { at, where },
    {
      opensAt,
      closesAt,
      resolveBy: shifted(events.resolveBy),
      // Opening and closing are due exactly at the moments by which calls are judged, to the microsecond.
      dueAt: sql`CASE ${events.nextTransition} WHEN 'open_event' THEN ${opensAt} WHEN 'close_event' THEN ${closesAt}
      ELSE ${now} + ${events.remainingMs} * interval '1 millisecond' END`,
      remainingMs: null,
    },
  );
  await writeUpdateFacts(tx, rows);
  return rows;
}
