import type { PlannedEvent } from "./plan-events.ts";

/** An event that has not opened, with what is planned for it. */
export type UnopenedEvent = PlannedEvent & {
  /** In milliseconds since 1970, on the session's clock; null: not planned. */
  opensAtMs: number | null;
};

/**
 * When events open after they were reordered. Delays and skips so far are kept:
 * - Events before the first changed position keep their time.
 * - From there on each event follows its own start mode: after the close of the previous event, or at its own moment, but
 *   never before the previous event opens.
 * - The first of all opens when the earliest would have opened. Events without a time get none.
 * @param before the events in the old order.
 * @param after the same events in the new order.
 * @param nowMs on the session's clock; no event is planned before it.
 * @returns the events whose time changes.
 */
export function planReordered(
  before: readonly UnopenedEvent[],
  after: readonly UnopenedEvent[],
  nowMs: number,
): { id: number; opensAtMs: number }[] {
  const firstChange = after.findIndex(({ id }, index) => before[index]?.id !== id);
  if (firstChange === -1) return [];
  const moments = before.flatMap(({ opensAtMs }) => opensAtMs ?? []);
  const startMs = Math.max(nowMs, Math.min(...moments));
  const moved: { id: number; opensAtMs: number }[] = [];
  let previous: OpenPeriod | null = null;
  for (const [index, event] of after.entries()) {
    if (event.opensAtMs === null) continue;
    const opensAtMs: number =
      index < firstChange ? event.opensAtMs : Math.max(nowMs, nextOpening(event, previous, startMs));
    if (opensAtMs !== event.opensAtMs) moved.push({ id: event.id, opensAtMs });
    previous = { opensAtMs, closesAtMs: opensAtMs + event.durationSeconds * 1_000 };
  }
  return moved;
}

type OpenPeriod = { opensAtMs: number; closesAtMs: number };

function nextOpening(
  { startMode, offsetSeconds, opensAtMs }: UnopenedEvent,
  previous: OpenPeriod | null,
  startMs: number,
): number {
  if (startMode === "offset") return Math.max(opensAtMs ?? startMs, previous?.opensAtMs ?? startMs);
  return previous === null ? startMs : previous.closesAtMs + offsetSeconds * 1_000;
}
