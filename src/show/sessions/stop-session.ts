import { and, isNotNull, isNull, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { anyOf } from "#db/ledger/query.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { writeFacts } from "#src/base/outbox/write-fact.ts";
import { cannotTransitionVia } from "#src/base/refusal.ts";
import { takeBackOwnCalls } from "#src/play/calls/require-no-stake.ts";
import { closeLockedEvents } from "#src/show/events/close-event.ts";
import { lockGated, lockUnopened, ofSession, writeEvents } from "#src/show/events/events-of-session.ts";
import { writeUpdateFacts } from "#src/show/events/move-event.ts";
import { planWaiting, voidAfter } from "#src/show/events/schedule.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { leftToUndoStop } from "#src/show/sessions/pages/contract.ts";
import { takeActiveFlag } from "./activate-session.ts";
import { sessionTransitions } from "./contract.ts";
import { notifyGoesOn, notifyResults } from "./notify-players.ts";
import { pauseLockedSession } from "./pause-session.ts";
import { type BeforeStop, beforeStop } from "./schemas.ts";
import {
  gateEvents,
  type LockedSession,
  moveSession,
  requireTransition,
  type SessionCommand,
  type SessionRow,
  withSession,
} from "./with-session.ts";

/**
 * Stops a session and makes it inactive, for good after STOP_UNDO_MS. Open events close, events that never opened are hidden, and closed ones wait
 * for an admin's result. A result that waits for its settlement delay is paid when the delay is over: the admin has already
 * decided it. The actor's own calls on open events are taken back.
 */
export function stopSession(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return withSession(deps, command, async (tx, locked) => {
    requireTransition(locked, "stop");
    await gateEvents(tx, locked.session.id, ["open"]);
    const takenBackCents = await takeBackOwnCalls(tx, locked);
    await restartTimers(tx, locked);
    // From here on the clock of open events runs, even if the session was paused.
    const ticking = { session: { ...locked.session, pausedAt: null }, actor: locked.actor };
    await closeLockedEvents(tx, await lockGated(tx, ticking, "open"));
    const unopened = await hideUnopenedEvents(tx, locked);
    const { waiting, undecided } = await scheduleVoiding(tx, locked);
    const { pausedAt, active } = locked.session;
    const before: BeforeStop = { pausedAt: pausedAt?.toISOString() ?? null, active, unopened, undecided };
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
      beforeStop: before,
    });
    await notifyResults(tx, session);
    locked.rescheduled.push(...waiting);
    return session;
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
    .where(ofSession(session, "open"));
  const dueAt = sql`${at}::timestamptz + ${events.remainingMs} * interval '1 millisecond'`;
  const where = and(ofSession(session, "closed"), isNotNull(events.remainingMs));
  await writeEvents(tx, { at, where }, { dueAt, remainingMs: null });
}

/** These never had a call. A draft becomes visible first: the transition table has no transition from draft to hidden. */
async function hideUnopenedEvents(
  tx: Transaction,
  { session, at }: LockedSession,
): Promise<BeforeStop["unopened"]> {
  const unopened = await lockUnopened(tx, session);
  await tx.update(events).set({ state: "visible" }).where(ofSession(session, "draft"));
  const hidden = await writeEvents(
    tx,
    { at, where: ofSession(session, "visible") },
    { state: "hidden", nextTransition: null, dueAt: null, remainingMs: null },
  );
  await writeFacts(
    tx,
    hidden.map(({ id }) => ({ kind: "event_changed", eventId: id, change: "hide" })),
  );
  return unopened.map(({ id, state, nextTransition }) => ({
    id,
    draft: state === "draft",
    timed: nextTransition !== null,
  }));
}

/** @returns every closed event of the session, with its next timed transition, and which of them had none before. */
async function scheduleVoiding(
  tx: Transaction,
  { session, at }: LockedSession,
): Promise<{ waiting: EventRow[]; undecided: number[] }> {
  const closed = ofSession(session, "closed");
  const undecided = await writeEvents(
    tx,
    { at, where: and(closed, isNull(events.nextTransition)) },
    { nextTransition: "resolve", dueAt: voidAfter(at) },
  );
  const waiting = await tx.select().from(events).where(closed);
  return { waiting, undecided: undecided.map(({ id }) => id) };
}

// Decision: an undone stop moves no money, so it can be undone at once and needs no timer that would hold the stop up. The calls on an event
// that was open are closed and stay valid: the event waits for its result as after a close by the host, who may also skip it, which refunds
// everybody. It does not open again: the room was told that it is over, and has heard since how it came out. What the stop took back of
// the host's own calls stays back, as after a pause. A result that waited to be paid is paid in time in either case.

/**
 * Undoes a stop within STOP_UNDO_MS: the session runs again, or is paused again, with its plan moved by the time between. Events that it
 * had hidden are what they were, unless a host has shown or deleted them since. It is the active session again, unless another one is.
 * @throws Refusal 422 unless it is stopped, for so long at most.
 */
export function takeBackStop(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return withSession(deps, command, async (tx, locked) => {
    requireTransition(locked, "take_back_stop");
    const { label, to } = sessionTransitions.take_back_stop;
    const stoppedAt = locked.session.stoppedAt?.toISOString() ?? null;
    if (leftToUndoStop({ stoppedAt }, Date.parse(locked.at)) <= 0)
      throw cannotTransitionVia(label, "A stop can be undone for a minute. This show is over.");
    const parsed = v.safeParse(beforeStop, locked.session.beforeStop);
    if (!parsed.success)
      throw cannotTransitionVia(label, "It was stopped by an older release. This show is over.");
    const before = parsed.output;
    const shown = await showUnopenedEvents(tx, locked, before);
    const undecided = await endVoiding(tx, locked, before);
    const running = await moveSession(tx, locked, "take_back_stop", {
      state: to,
      stoppedAt: null,
      beforeStop: null,
    });
    const active = before.active
      ? await takeActiveFlag(tx, { ...locked, session: running }, { takesOver: false })
      : running;
    // Those that wait for a result which was given meanwhile.
    const planned = await planWaiting(tx, { session: active, at: locked.at, after: null });
    await writeUpdateFacts(tx, [...undecided, ...planned]);
    await notifyGoesOn(tx, active);
    if (before.pausedAt !== null) return pauseLockedSession(tx, { ...locked, session: active });
    locked.rescheduled.push(...shown, ...planned);
    return active;
  });
}

/** A draft was hidden by way of visible, and there is no way back but a new round: nobody has called in the one before. */
async function showUnopenedEvents(
  tx: Transaction,
  { session, at }: LockedSession,
  { pausedAt, unopened }: BeforeStop,
): Promise<EventRow[]> {
  const idsOf = (which: (event: BeforeStop["unopened"][number]) => boolean) =>
    anyOf(
      events.id,
      unopened.filter(which).map(({ id }) => id),
    );
  const stillSince = sql`coalesce(${pausedAt}::timestamptz, (SELECT stopped_at FROM sessions WHERE id = ${session.id}))`;
  const now = sql`${at}::timestamptz`;
  const opensAt = sql`${events.opensAt} + (${now} - ${stillSince})`;
  const isDraft = idsOf(({ draft }) => draft);
  const publishesAt = sql`greatest(${now}, ${opensAt} - make_interval(secs => ${events.leadSeconds}))`;
  const where = and(
    ofSession(session, "hidden"),
    idsOf(() => true),
    isNull(events.openedAt),
  );
  const shown = await writeEvents(
    tx,
    { at, where },
    {
      state: sql`CASE WHEN ${isDraft} THEN 'draft' ELSE 'visible' END`,
      round: sql`${events.round} + (${isDraft})::int`,
      opensAt,
      closesAt: sql`${events.closesAt} + (${now} - ${stillSince})`,
      resolveBy: sql`${events.resolveBy} + (${now} - ${stillSince})`,
      nextTransition: sql`CASE WHEN NOT ${idsOf(({ timed }) => timed)} THEN NULL WHEN ${isDraft} THEN 'publish_event' ELSE 'open_event' END`,
      dueAt: sql`CASE WHEN NOT ${idsOf(({ timed }) => timed)} THEN NULL WHEN ${isDraft} THEN ${publishesAt} ELSE ${opensAt} END`,
    },
  );
  await writeFacts(
    tx,
    shown.map(({ id, state }) => ({
      kind: "event_changed",
      eventId: id,
      change: state === "draft" ? "reset" : "show",
    })),
  );
  return shown;
}

/** They wait for their result as long as it takes, as in every show that is not over. */
function endVoiding(
  tx: Transaction,
  { session, at }: LockedSession,
  { undecided }: BeforeStop,
): Promise<EventRow[]> {
  const where = and(ofSession(session, "closed"), anyOf(events.id, undecided), isNull(events.pendingResult));
  return writeEvents(tx, { at, where }, { nextTransition: null, dueAt: null });
}
