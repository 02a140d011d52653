import { eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import type { EventState, StartMode } from "#db/lists/events.ts";
import { isBesideOrder } from "#db/lists/limits.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { cannotTransitionVia } from "#src/base/refusal.ts";
import {
  lockGated,
  lockUnopened,
  ofSession,
  writeEvent,
  writeEvents,
} from "#src/show/events/events-of-session.ts";
import { writeUpdateFacts } from "#src/show/events/move-event.ts";
import { resetLockedEvent } from "#src/show/events/reset-event.ts";
import { noTimes } from "#src/show/events/schedule.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { takeActiveFlag } from "./activate-session.ts";
import { sessionTransitions } from "./contract.ts";
import { notifyLive } from "./notify-players.ts";
import {
  gateEvents,
  type LockedSession,
  moveSession,
  requireTransition,
  type SessionCommand,
  type SessionRow,
  withSession,
} from "./with-session.ts";

/** The fields of an event that determine when it opens. */
export type PlannedEvent = {
  id: number;
  startMode: StartMode;
  /** After the session's start, or after the planned close or the result of the previous event. */
  offsetSeconds: number;
  durationSeconds: number;
};

/**
 * When each event of a session opens, in seconds after the session's start. Null: that is known later, because it waits for a
 * result, for the host, or for an event that does.
 * @param events in the order of their positions; for the first, "after the previous event" is after the start.
 * @param leadSeconds how long after the start the plan begins.
 */
export function planEvents(
  events: readonly PlannedEvent[],
  leadSeconds: number,
): { id: number; opensInSeconds: number | null }[] {
  let previousEndsIn: number | null = leadSeconds;
  return events.map(({ id, startMode, offsetSeconds, durationSeconds }, index) => {
    const isFirst = index === 0;
    const bases = {
      after_previous: previousEndsIn,
      offset: leadSeconds,
      after_result: isFirst ? leadSeconds : null,
      by_hand: null,
    } satisfies Record<StartMode, number | null>;
    const base = bases[startMode];
    const opensInSeconds = base === null ? null : base + offsetSeconds;
    if (!isBesideOrder({ durationSeconds }))
      previousEndsIn = opensInSeconds === null ? null : opensInSeconds + durationSeconds;
    return { id, opensInSeconds };
  });
}

type StartCommand = SessionCommand & { inSeconds?: number; activate?: boolean };

/**
 * Starts a session: from now on its events publish, open, close and, with a planned result, resolve by themselves. It becomes
 * the active session if there is none, or if `activate` says so.
 * @param command `inSeconds`: how long after the start the plan begins, so that players can read the first question. Default 0.
 *   `activate`: players are sent here, also if they were sent to another session until now.
 * @throws Refusal 422 unless it is pending and has at least one event.
 */
export function startSession(
  deps: Deps,
  { inSeconds: startLeadSeconds = 0, activate = false, ...command }: StartCommand,
): Promise<SessionRow> {
  return withSession(deps, command, async (tx, locked) => {
    requireTransition(locked, "start");
    locked.rescheduled.push(...(await scheduleEvents(tx, locked, startLeadSeconds)));
    const startedAt = sql`${locked.at}::timestamptz`;
    const changes = { state: sessionTransitions.start.to, startedAt, startLeadSeconds };
    const running = await moveSession(tx, locked, "start", changes);
    const session = await takeActiveFlag(tx, { ...locked, session: running }, { takesOver: activate });
    await notifyLive(tx, session);
    return session;
  });
}

async function scheduleEvents(
  tx: Transaction,
  { session, at }: LockedSession,
  leadSeconds: number,
): Promise<EventRow[]> {
  const unopened = await lockUnopened(tx, session);
  if (unopened.length === 0) {
    throw cannotTransitionVia(sessionTransitions.start.label, "Add an event first.");
  }
  const scheduled: EventRow[] = [];
  for (const { id, opensInSeconds } of planEvents(unopened, leadSeconds))
    scheduled.push(await scheduleEvent(tx, { id, at }, opensInSeconds));
  await writeUpdateFacts(tx, scheduled);
  return scheduled;
}

/** Without a time only the transition is planned, unless the host starts the event. */
function scheduleEvent(
  tx: Transaction,
  { id, at }: { id: number; at: string },
  opensInSeconds: number | null,
): Promise<EventRow> {
  const startedAt = sql`${at}::timestamptz`;
  const opensAt = sql`${startedAt} + make_interval(secs => ${opensInSeconds}::int)`;
  const closesAt = sql`${opensAt} + make_interval(secs => ${events.durationSeconds})`;
  const publishedAt = sql`CASE WHEN ${opensInSeconds}::int IS NOT NULL
    THEN greatest(${startedAt}, ${opensAt} - make_interval(secs => ${events.leadSeconds})) END`;
  const isByHand = sql`${events.startMode} = 'by_hand'`;
  return writeEvent(
    tx,
    { id, at },
    {
      opensAt,
      closesAt,
      resolveBy: sql`${closesAt} + make_interval(secs => ${events.resolveWithinSeconds})`,
      nextTransition: sql`CASE WHEN ${isByHand} THEN NULL WHEN ${events.state} = 'draft' THEN 'publish_event' ELSE 'open_event' END`,
      dueAt: sql`CASE ${events.state} WHEN 'draft' THEN ${publishedAt} ELSE ${opensAt} END`,
    },
  );
}

/** What the show itself has published, and what may have happened to it since. */
const shownStates = ["visible", "open", "closed", "resolved"] as const satisfies readonly EventState[];

/**
 * Takes a start back: the session waits for its start again, as long as nobody has placed a call in it. What it has published becomes a
 * draft of a new round, also what is closed or decided; what was published before the start stays visible. All planned times go, and with
 * them the alarms; the next start plans anew. Join code, registrations, teams, reminders and hosts stay as they are, and so does the
 * active flag: who is here waits here. An event that the host has hidden stays hidden.
 * @throws Refusal 422 unless it is running or paused, and once a call was placed, also one that was taken back.
 */
export function takeBackStart(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return withSession(deps, command, async (tx, locked) => {
    requireTransition(locked, "take_back_start");
    const { label, to } = sessionTransitions.take_back_start;
    await gateEvents(tx, locked.session.id, shownStates);
    if (await isCalled(tx, locked.session.id)) {
      throw cannotTransitionVia(label, "Somebody has called already. Stop the show instead.");
    }
    await resetShown(tx, locked);
    const unopened = { at: locked.at, where: ofSession(locked.session, "draft", "visible") };
    await writeUpdateFacts(tx, await writeEvents(tx, unopened, { ...noTimes, nextTransition: null }));
    const changes = { state: to, startedAt: null, pausedAt: null, startLeadSeconds: 0 };
    return moveSession(tx, locked, "take_back_start", changes);
  });
}

async function isCalled(tx: Transaction, sessionId: number): Promise<boolean> {
  const [first] = await tx
    .select({ id: calls.id })
    .from(calls)
    .innerJoin(events, eq(events.id, calls.eventId))
    .where(eq(events.sessionId, sessionId))
    .limit(1);
  return first !== undefined;
}

/** The caller holds their gates. Nobody has called on them, so no money moves. */
async function resetShown(tx: Transaction, { session, actor }: LockedSession): Promise<void> {
  // It is no show any more, in which the other events would be announced anew with each of these.
  const lobby = { ...session, state: sessionTransitions.take_back_start.to, pausedAt: null };
  for (const locked of await lockGated(tx, { session: lobby, actor }, ...shownStates))
    if (!isFromBefore(locked.event, session)) await resetLockedEvent(tx, locked, null);
}

function isFromBefore({ state, publishedAt }: EventRow, { startedAt }: SessionRow): boolean {
  return state === "visible" && publishedAt !== null && startedAt !== null && publishedAt < startedAt;
}
