import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { writeUpdateFacts } from "#src/show/events/move-event.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { clearActiveFlag, lockActiveFlag } from "./active-flag.ts";
import { sessionTransitions } from "./contract.ts";
import { moveSession, requireTransition } from "./move-session.ts";
import { notifyLive } from "./notify-players.ts";
import { planEvents } from "./plan-events.ts";
import { type LockedSession, type SessionCommand, type SessionRow, withSession } from "./with-session.ts";

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
    const rescheduled = await scheduleEvents(tx, locked, startLeadSeconds);
    const startedAt = sql`${locked.at}::timestamptz`;
    const changes = { state: sessionTransitions.start.to, startedAt, startLeadSeconds };
    const running = await moveSession(tx, locked, "start", changes);
    const session = await makeActive(tx, { ...locked, session: running }, { takesOver: activate });
    await notifyLive(tx, session);
    return { session, rescheduled };
  });
}

async function scheduleEvents(
  tx: Transaction,
  { session, at }: LockedSession,
  leadSeconds: number,
): Promise<EventRow[]> {
  const unopened = await tx
    .select()
    .from(events)
    .where(and(eq(events.sessionId, session.id), inArray(events.state, ["draft", "visible"])))
    .orderBy(asc(events.position), asc(events.id))
    .for("no key update");
  if (unopened.length === 0) {
    throw cannotTransitionVia(sessionTransitions.start.label, "Add an event first.");
  }
  const scheduled: EventRow[] = [];
  for (const { id, opensInSeconds } of planEvents(unopened, leadSeconds)) {
    scheduled.push(...(await scheduleEvent(tx, { id, opensInSeconds, at })));
  }
  await writeUpdateFacts(tx, scheduled);
  return scheduled;
}

/** Without a time only the transition is planned, unless the host starts the event. */
function scheduleEvent(
  tx: Transaction,
  { id, opensInSeconds, at }: { id: number; opensInSeconds: number | null; at: string },
): Promise<EventRow[]> {
  const startedAt = sql`${at}::timestamptz`;
  const opensAt = sql`${startedAt} + make_interval(secs => ${opensInSeconds}::int)`;
  const closesAt = sql`${opensAt} + make_interval(secs => ${events.durationSeconds})`;
  const publishedAt = sql`CASE WHEN ${opensInSeconds}::int IS NOT NULL
    THEN greatest(${startedAt}, ${opensAt} - make_interval(secs => ${events.leadSeconds})) END`;
  const isByHand = sql`${events.startMode} = 'by_hand'`;
  return tx
    .update(events)
    .set({
      opensAt,
      closesAt,
      resolveBy: sql`${closesAt} + make_interval(secs => ${events.resolveWithinSeconds})`,
      nextTransition: sql`CASE WHEN ${isByHand} THEN NULL WHEN ${events.state} = 'draft' THEN 'publish_event' ELSE 'open_event' END`,
      dueAt: sql`CASE ${events.state} WHEN 'draft' THEN ${publishedAt} ELSE ${opensAt} END`,
      scheduleVersion: sql`${events.scheduleVersion} + 1`,
      version: sql`${events.version} + 1`,
      updatedAt: startedAt,
    })
    .where(eq(events.id, id))
    .returning();
}

/** @param options takesOver: also if another session is active. */
async function makeActive(
  tx: Transaction,
  locked: LockedSession,
  { takesOver }: { takesOver: boolean },
): Promise<SessionRow> {
  if (locked.session.active) return locked.session;
  const holderId = await lockActiveFlag(tx);
  if (holderId !== null && !takesOver) return locked.session;
  if (holderId !== null) await clearActiveFlag(tx, locked);
  return moveSession(tx, locked, "activate", { active: true });
}
