import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { writeUpdateFacts } from "#src/events/move-event.ts";
import type { EventRow } from "#src/events/with-event.ts";
import { lockActiveFlag } from "./active-flag.ts";
import { sessionTransitions } from "./contract.ts";
import { moveSession, requireTransition } from "./move-session.ts";
import { notifyLive } from "./notify-players.ts";
import { planEvents } from "./plan-events.ts";
import { type LockedSession, type SessionCommand, type SessionRow, withSession } from "./with-session.ts";

/**
 * Starts a session: from now on its events publish, open, close and, with a planned result, resolve by themselves. It becomes
 * the active session if there is none.
 * @throws Refusal 422 unless it is pending and has at least one event.
 */
export function startSession(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return withSession(deps, command, async (tx, locked) => {
    requireTransition(locked, "start");
    const rescheduled = await scheduleEvents(tx, locked);
    const startedAt = sql`${locked.at}::timestamptz`;
    const running = await moveSession(tx, locked, "start", { state: "running", startedAt });
    const session = await activateIfNoneActive(tx, { ...locked, session: running });
    await notifyLive(tx, session);
    return { session, rescheduled };
  });
}

async function scheduleEvents(tx: Transaction, { session, at }: LockedSession): Promise<EventRow[]> {
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
  for (const { id, opensInSeconds } of planEvents(unopened)) {
    scheduled.push(...(await scheduleEvent(tx, { id, opensInSeconds, at })));
  }
  await writeUpdateFacts(tx, scheduled);
  return scheduled;
}

function scheduleEvent(
  tx: Transaction,
  { id, opensInSeconds, at }: { id: number; opensInSeconds: number; at: string },
): Promise<EventRow[]> {
  const startedAt = sql`${at}::timestamptz`;
  const opensAt = sql`${startedAt} + make_interval(secs => ${opensInSeconds}::int)`;
  const closesAt = sql`${opensAt} + make_interval(secs => ${events.durationSeconds})`;
  const publishedAt = sql`greatest(${startedAt}, ${opensAt} - make_interval(secs => ${events.leadSeconds}))`;
  return tx
    .update(events)
    .set({
      opensAt,
      closesAt,
      resolveBy: sql`${closesAt} + make_interval(secs => ${events.resolveWithinSeconds})`,
      nextTransition: sql`CASE ${events.state} WHEN 'draft' THEN 'publish_event' ELSE 'open_event' END`,
      dueAt: sql`CASE ${events.state} WHEN 'draft' THEN ${publishedAt} ELSE ${opensAt} END`,
      scheduleVersion: sql`${events.scheduleVersion} + 1`,
      version: sql`${events.version} + 1`,
      updatedAt: startedAt,
    })
    .where(eq(events.id, id))
    .returning();
}

async function activateIfNoneActive(tx: Transaction, locked: LockedSession): Promise<SessionRow> {
  if (locked.session.active) return locked.session;
  const holderId = await lockActiveFlag(tx);
  if (holderId !== null) return locked.session;
  return moveSession(tx, locked, "activate", { active: true });
}
