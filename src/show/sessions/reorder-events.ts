import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { conflict } from "#src/base/refusal.ts";
import { announceNext, writeUpdateFacts } from "#src/show/events/move-event.ts";
import { planWaiting } from "#src/show/events/plan-waiting.ts";
import { replan, waitAgain } from "#src/show/events/replan.ts";
import { type EventRow, sessionTime } from "#src/show/events/with-event.ts";
import { planReordered, type UnopenedEvent } from "./plan-reordered.ts";
import { type LockedSession, type SessionCommand, type SessionRow, withSession } from "./with-session.ts";

/**
 * Reorders the events of a session that have not opened. Together they keep the positions that they hold among the other
 * events. In a live session their times are planned again: see plan-reordered.ts.
 * @param command `eventIds`: each event that has not opened once, in the new order.
 * @throws Refusal 404 for an unknown session; 409 if the list no longer matches the events that have not opened. Nothing
 *   changes then.
 */
export function reorderEvents(deps: Deps, command: ReorderEvents): Promise<SessionRow> {
  const { eventIds } = command;
  return withSession(deps, command, async (tx, locked) => {
    const before = await lockUnopened(tx, locked);
    const after = eventIds.flatMap((id) => before.find((event) => event.id === id) ?? []);
    if (after.length !== eventIds.length || after.length !== before.length) {
      throw conflict("What can be reordered has changed meanwhile. Look again.");
    }
    const changed = await writeOrder(tx, locked, { before, after });
    if (changed.length === 0) return { session: locked.session, rescheduled: [] };
    const planned = await planWaiting(tx, { ...locked, after: null });
    await writeUpdateFacts(tx, [...changed, ...planned]);
    await announceNext(tx, { session: locked.session });
    await auditOrder(tx, locked, { before, after });
    return { session: await touchSession(tx, locked), rescheduled: [...changed, ...planned] };
  });
}

type ReorderEvents = SessionCommand & { eventIds: readonly number[] };

function lockUnopened(tx: Transaction, { session }: LockedSession): Promise<EventRow[]> {
  return tx
    .select()
    .from(events)
    .where(and(eq(events.sessionId, session.id), inArray(events.state, ["draft", "visible"])))
    .orderBy(asc(events.position), asc(events.id))
    .for("no key update")
    .execute();
}

type Orders = { before: readonly EventRow[]; after: readonly EventRow[] };

/** @returns the events whose position or time has changed, with the new values. */
async function writeOrder(
  tx: Transaction,
  locked: LockedSession,
  { before, after }: Orders,
): Promise<EventRow[]> {
  const nowMs = Date.parse(sessionTime(locked));
  const moments = new Map(
    planReordered(before.map(toUnopened), after.map(toUnopened), nowMs).map((plan) => [
      plan.id,
      plan.opensAtMs,
    ]),
  );
  const positions = increasingPositions(before);
  const changed: EventRow[] = [];
  for (const [index, event] of after.entries()) {
    const opensAtMs = moments.get(event.id);
    const position = positions[index] ?? event.position;
    if (position === event.position && opensAtMs === undefined) continue;
    changed.push(...(await writePosition(tx, { ...locked, event }, { position, opensAtMs })));
  }
  return changed;
}

/** An event without a timed transition does not open by itself, so its time is not planned. */
function toUnopened(event: EventRow): UnopenedEvent {
  const isPlanned = event.nextTransition !== null;
  return { ...event, isPlanned, opensAtMs: isPlanned ? (event.opensAt?.getTime() ?? null) : null };
}

/** The positions that the events hold, each made greater than the previous one. */
function increasingPositions(before: readonly EventRow[]): number[] {
  let last = 0;
  return before.map(({ position }) => (last = Math.max(position, last + 1)));
}

function writePosition(
  tx: Transaction,
  { event, session, at }: LockedSession & { event: EventRow },
  { position, opensAtMs }: { position: number; opensAtMs: number | null | undefined },
): Promise<EventRow[]> {
  return tx
    .update(events)
    .set({
      position,
      ...timesAt({ event, session, at }, opensAtMs),
      scheduleVersion: sql`${events.scheduleVersion} + 1`,
      version: sql`${events.version} + 1`,
      updatedAt: sql`${at}::timestamptz`,
    })
    .where(eq(events.id, event.id))
    .returning()
    .execute();
}

/** The columns of a new time. Null: the event waits; undefined: its time stays. */
function timesAt(
  locked: Pick<LockedSession, "session" | "at"> & { event: EventRow },
  opensAtMs: number | null | undefined,
) {
  if (opensAtMs === undefined) return {};
  if (opensAtMs === null) return waitAgain(locked, locked.event.startMode);
  const opensAt = new Date(opensAtMs);
  return { opensAt, ...replan(locked, { opensAt }) };
}

function auditOrder(
  tx: Transaction,
  { session, actor }: LockedSession,
  { before, after }: Orders,
): Promise<void> {
  return writeAudit(tx, {
    actor,
    action: "reorder_events",
    subject: { type: "session", id: session.id },
    sessionId: session.id,
    before: { eventIds: before.map(({ id }) => id) },
    after: { eventIds: after.map(({ id }) => id) },
  });
}

/** Drafts are not broadcast one by one, so admins get the new order by a change of the session. */
async function touchSession(tx: Transaction, { session, at }: LockedSession): Promise<SessionRow> {
  const [touched] = await tx
    .update(sessions)
    .set({ version: sql`${sessions.version} + 1`, updatedAt: sql`${at}::timestamptz` })
    .where(eq(sessions.id, session.id))
    .returning();
  if (touched === undefined) throw new Error(`session ${session.id} is missing although its row is locked`);
  await writeFact(tx, { kind: "session_changed", sessionId: session.id, change: "update" });
  return touched;
}
