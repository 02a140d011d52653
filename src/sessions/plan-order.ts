import type { PlannedEvent } from "./plan-events.ts";

/** An event that has not opened, with what is planned for it. */
export type Unopened = PlannedEvent & {
  /** In milliseconds since 1970, on the show's clock; null: nothing is planned for it. */
  opensAtMs: number | null;
};

/**
 * When events open after they were put into another order. What stands before the first change keeps its time. From there
 * on each follows the one before it by the rule of its plan: after the close of that one, or at its own moment, but never
 * before that one opens. The first of all opens when the first has until now. What has no time gets none.
 * @param before the events in the order until now.
 * @param after the same events in the new order.
 * @param nowMs on the show's clock: nothing comes to lie before it.
 * @returns those that open at another time.
 */
export function planOrder(
  before: readonly Unopened[],
  after: readonly Unopened[],
  nowMs: number,
): { id: number; opensAtMs: number }[] {
  const firstChange = after.findIndex(({ id }, index) => before[index]?.id !== id);
  if (firstChange === -1) return [];
  const moments = before.flatMap(({ opensAtMs }) => opensAtMs ?? []);
  const startMs = Math.max(nowMs, Math.min(...moments));
  const moved: { id: number; opensAtMs: number }[] = [];
  let previous: Slot | null = null;
  for (const [index, event] of after.entries()) {
    if (event.opensAtMs === null) continue;
    const opensAtMs: number =
      index < firstChange ? event.opensAtMs : Math.max(nowMs, nextOpening(event, previous, startMs));
    if (opensAtMs !== event.opensAtMs) moved.push({ id: event.id, opensAtMs });
    previous = { opensAtMs, closesAtMs: opensAtMs + event.durationSeconds * 1_000 };
  }
  return moved;
}

type Slot = { opensAtMs: number; closesAtMs: number };

function nextOpening(
  { startMode, offsetSeconds, opensAtMs }: Unopened,
  previous: Slot | null,
  startMs: number,
): number {
  if (startMode === "offset") return Math.max(opensAtMs ?? startMs, previous?.opensAtMs ?? startMs);
  return previous === null ? startMs : previous.closesAtMs + offsetSeconds * 1_000;
}
