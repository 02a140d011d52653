import type { EventView } from "#src/show/events/schemas.ts";
import type { Outcome } from "../calls/viewer-calls.ts";
import { resultOf } from "../events/result-label.ts";
import { markSaid } from "./spoken.ts";

/** A result as it is said. An event that was reset is played again. */
export type SaidResult = { eventId: number; openedAtMs: number; result: string; netCents: number | null };

/** What was said before about the same event: nothing, the same, the result that waits to be paid, or another result. */
export type SaidBefore = "nothing" | "same" | "pending" | "other";

/** Remembers that a result is said. A pending one says all that there is to say to who made no call. */
export function markResultSaid(
  { eventId, openedAtMs, result, netCents }: SaidResult,
  isPending = false,
): SaidBefore {
  const version = `${isPending ? "pending " : ""}${result} ${netCents}`;
  const before = markSaid(`${eventId} ${openedAtMs}`, version);
  if (before === undefined) return "nothing";
  if (before === version) return "same";
  return before.startsWith(`pending ${result} `) ? "pending" : "other";
}

/** The event's result, pending or paid, as it is said. */
export function saidResultOf(event: EventView, outcome: Outcome | null): SaidResult {
  const openedAtMs = event.openedAt === null ? 0 : Date.parse(event.openedAt);
  return { eventId: event.id, openedAtMs, result: resultOf(event), netCents: outcome?.netCents ?? null };
}
