import type { PlannedEvent } from "./plan-events.ts";

/** An event that has not opened, with what is planned for it. */
export type UnopenedEvent = PlannedEvent & {
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
export function planReordered(
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
