import type { Transaction } from "#db/client.ts";
import type { Deps } from "#src/base/deps.ts";
import { conflict } from "#src/base/refusal.ts";
import { lockUnopened, writeEvent } from "#src/show/events/events-of-session.ts";
import { announceNext, writeUpdateFacts } from "#src/show/events/move-event.ts";
import { planWaiting, replan, waitAgain } from "#src/show/events/schedule.ts";
import { type EventRow, sessionTime } from "#src/show/events/with-event.ts";
import type { PlannedEvent } from "./start-session.ts";
import {
  auditSession,
  type LockedSession,
  type SessionCommand,
  type SessionRow,
  withSession,
  writeSession,
} from "./with-session.ts";

/**
 * Reorders the events of a session that have not opened. Together they keep the positions that they hold among the other
 * events. In a live session their times are planned again: see planReordered.
 * @param command `eventIds`: each event that has not opened once, in the new order.
 * @throws Refusal 404 for an unknown session; 409 if the list no longer matches the events that have not opened. Nothing
 *   changes then.
 */
export function reorderEvents(deps: Deps, command: ReorderEvents): Promise<SessionRow> {
  const { eventIds } = command;
  return withSession(deps, command, async (tx, locked) => {
    const before = await lockUnopened(tx, locked.session);
    const after = eventIds.flatMap((id) => before.find((event) => event.id === id) ?? []);
    if (after.length !== eventIds.length || after.length !== before.length) {
      throw conflict("What can be reordered has changed meanwhile. Look again.");
    }
    const changed = await writeOrder(tx, locked, { before, after });
    if (changed.length === 0) return locked.session;
    const planned = await planWaiting(tx, { ...locked, after: null });
    await writeUpdateFacts(tx, [...changed, ...planned]);
    await announceNext(tx, { session: locked.session });
    await auditSession(tx, locked, {
      action: "reorder_events",
      before: { eventIds: before.map(({ id }) => id) },
      after: { eventIds },
    });
    locked.rescheduled.push(...changed, ...planned);
    // Drafts are not broadcast one by one, so admins get the new order by a change of the session.
    return writeSession(tx, locked, {});
  });
}

type ReorderEvents = SessionCommand & { eventIds: readonly number[] };

/** @returns the events whose position or time has changed, with the new values. */
async function writeOrder(
  tx: Transaction,
  locked: LockedSession,
  { before, after }: { before: readonly EventRow[]; after: readonly EventRow[] },
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
    const times = timesAt({ ...locked, event }, opensAtMs);
    changed.push(await writeEvent(tx, { id: event.id, at: locked.at }, { position, ...times }));
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

type UnopenedEvent = PlannedEvent & {
  /** In milliseconds since 1970, on the session's clock; null: not known. */
  opensAtMs: number | null;
  /** False: it does not open by itself. */
  isPlanned: boolean;
};

/** An event's new time; null: it waits for the event before it. */
type NewTime = { id: number; opensAtMs: number | null };

/**
 * When events open after they were reordered. Delays and skips so far are kept:
 * - Events before the first changed position keep their time.
 * - From there on each event follows its own start mode: after the close of the previous event, or at its own moment, but
 *   never before the previous event opens.
 * - The first of all opens when the earliest would have opened. Events that are not planned get no time.
 * - An event waits if it follows a result, or an event whose time is not known. planWaiting() looks afterwards whether it has to.
 * @param before the events in the old order.
 * @param after the same events in the new order.
 * @param nowMs on the session's clock; no event is planned before it.
 * @returns the events whose time changes.
 */
function planReordered(
  before: readonly UnopenedEvent[],
  after: readonly UnopenedEvent[],
  nowMs: number,
): NewTime[] {
  const firstChange = after.findIndex(({ id }, index) => before[index]?.id !== id);
  if (firstChange === -1) return [];
  const moments = before.flatMap(({ opensAtMs }) => opensAtMs ?? []);
  const startMs = moments.length === 0 ? null : Math.max(nowMs, Math.min(...moments));
  const moved: NewTime[] = [];
  let previous: Previous = { opensAtMs: startMs, endsAtMs: startMs, isFirst: true };
  for (const [index, event] of after.entries()) {
    if (!event.isPlanned && event.startMode !== "by_hand") continue;
    const opensAtMs: number | null =
      index < firstChange ? event.opensAtMs : nextOpening(event, previous, nowMs);
    if (opensAtMs !== event.opensAtMs) moved.push({ id: event.id, opensAtMs });
    const endsAtMs = opensAtMs === null ? null : opensAtMs + event.durationSeconds * 1_000;
    previous = { opensAtMs: opensAtMs ?? previous.opensAtMs, endsAtMs, isFirst: false };
  }
  return moved;
}

/** The event before: when it opens (or the last one before it that has a time), and when it closes; null: not known. */
type Previous = { opensAtMs: number | null; endsAtMs: number | null; isFirst: boolean };

function nextOpening(event: UnopenedEvent, previous: Previous, nowMs: number): number | null {
  const { startMode, offsetSeconds, opensAtMs } = event;
  if (startMode === "after_result") return null;
  if (startMode === "after_previous") {
    if (previous.endsAtMs === null) return null;
    return Math.max(nowMs, previous.endsAtMs + (previous.isFirst ? 0 : offsetSeconds * 1_000));
  }
  return opensAtMs === null ? null : Math.max(nowMs, opensAtMs, previous.opensAtMs ?? nowMs);
}
