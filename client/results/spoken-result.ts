import type { EventView } from "#src/show/events/schemas.ts";
import type { Outcome } from "../calls/viewer-calls.ts";
import { resultOf } from "../events/result-label.ts";
import { markSpoken } from "./spoken.ts";

/** A result as it is said. An event that was reset is played again. */
export type SpokenResult = { eventId: number; openedAtMs: number; result: string; netCents: number | null };

/** What was said before about the same event: nothing, the same, the result that waits to be paid, or another result. */
export type SpokenBefore = "nothing" | "same" | "pending" | "other";

/** Remembers that a result is said. A pending one says all that there is to say to who made no call. */
export function markResultSpoken(
  { eventId, openedAtMs, result, netCents }: SpokenResult,
  isPending = false,
): SpokenBefore {
  const version = `${isPending ? "pending " : ""}${result} ${netCents}`;
  const before = markSpoken(`${eventId} ${openedAtMs}`, version);
  if (before === undefined) return "nothing";
  if (before === version) return "same";
  return before.startsWith(`pending ${result} `) ? "pending" : "other";
}

/** The event's result, pending or paid, as it is said. */
export function spokenResultOf(event: EventView, outcome: Outcome | null): SpokenResult {
  const openedAtMs = event.openedAt === null ? 0 : Date.parse(event.openedAt);
  return { eventId: event.id, openedAtMs, result: resultOf(event), netCents: outcome?.netCents ?? null };
}
