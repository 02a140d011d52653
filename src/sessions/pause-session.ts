import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { remainingMs } from "#src/events/remaining-ms.ts";
import { sessionTransitions } from "./contract.ts";
import { gateEvents } from "./gate-events.ts";
import { moveSession, requireTransition } from "./move-session.ts";
import { type LockedSession, type SessionOrder, type SessionRow, withSession } from "./with-session.ts";

/**
 * Stops the show's clock: nothing happens by itself and no call is taken until it resumes. What is due keeps its remaining
 * milliseconds, and the alarms that are set do nothing.
 * @throws Refusal 422 unless it is running.
 */
export function pauseSession(deps: Deps, order: SessionOrder): Promise<SessionRow> {
  return withSession(deps, order, async (tx, locked) => {
    requireTransition(locked, "pause");
    const at = await gateEvents(tx, locked.session.id, ["open"]);
    await keepRemaining(tx, { ...locked, at });
    const session = await moveSession(tx, { ...locked, at }, "pause", {
      state: sessionTransitions.pause.to,
      pausedAt: sql`${at}::timestamptz`,
    });
    return { session, rescheduled: [] };
  });
}

async function keepRemaining(tx: Transaction, { session, at }: LockedSession): Promise<void> {
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
