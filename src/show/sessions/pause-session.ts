import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { takeBackOwnCalls } from "#src/play/calls/take-back-own-calls.ts";
import { remainingMs } from "#src/show/events/schedule.ts";
import { sessionTransitions } from "./contract.ts";
import { gateEvents } from "./gate-events.ts";
import { moveSession, requireTransition } from "./move-session.ts";
import { type LockedSession, type SessionCommand, type SessionRow, withSession } from "./with-session.ts";

/**
 * Pauses a session: until it resumes no timed transition happens and no call is accepted. Each timed transition stores its
 * remaining milliseconds; alarms that are already set do nothing. The actor's own calls on open events are taken back.
 * @throws Refusal 422 unless the session is running.
 */
export function pauseSession(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return withSession(deps, command, async (tx, locked) => {
    requireTransition(locked, "pause");
    const at = await gateEvents(tx, locked.session.id, ["open"]);
    const takenBackCents = await takeBackOwnCalls(tx, locked);
    await storeRemaining(tx, { ...locked, at });
    const session = await moveSession(tx, { ...locked, at, takenBackCents }, "pause", {
      state: sessionTransitions.pause.to,
      pausedAt: sql`${at}::timestamptz`,
    });
    return { session, rescheduled: [] };
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
    .where(
      and(
        eq(events.sessionId, session.id),
        inArray(events.state, ["draft", "visible", "open", "closed"]),
        isNotNull(events.dueAt),
      ),
    );
}
