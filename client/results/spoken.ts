import type { EventView } from "#src/show/events/schemas.ts";
import { createStore, useStore } from "../base/browser/store.ts";
import type { Outcome } from "../calls/viewer-calls.ts";
import { resultOf } from "../events/result-label.ts";

// Decision: what screen readers hear is a list that grows at its end, so that nothing is overwritten before it was read, and each change
// is said once, by the part that shows it first: the card, the row of the slip, or the ticker.

export type Line = { id: number; text: string; urgent: boolean };

/** Older ones have been read, and would be read again by who reads the page. */
const LINES_MAX = 4;
const KEPT_MS = 20_000;
/** Of the changes of one show. */
const SAID_MAX = 200;

const said = new Map<string, string>();
const lines = createStore<readonly Line[]>([]);
let lastId = 0;

/** The newest messages, oldest first. */
export const useSpoken = () => useStore(lines);

/** Says something to screen readers. @param urgent at once, also while they speak. */
export function say(text: string, { urgent = false }: { urgent?: boolean } = {}): void {
  lastId += 1;
  const id = lastId;
  lines.set([...lines.get(), { id, text, urgent }].slice(-LINES_MAX));
  setTimeout(() => lines.set(lines.get().filter((line) => line.id !== id)), KEPT_MS);
}

/** Remembers that this version of a thing is said. @returns the version before; undefined for none. */
export function markSpoken(thing: string, version: string): string | undefined {
  const before = said.get(thing);
  said.delete(thing);
  said.set(thing, version);
  for (const key of said.keys()) if (said.size > SAID_MAX) said.delete(key);
  return before;
}

/** A result as it is said. An event that was reset is played again. */
export type SpokenResult = { eventId: number; openedAtMs: number; result: string; netCents: number | null };

/**
 * Remembers that a result is said. A pending one says all that there is to say to who made no call.
 * @returns what was said before about the same event: nothing, the same, the result that waits to be paid, or another result.
 */
export function markResultSpoken(
  { eventId, openedAtMs, result, netCents }: SpokenResult,
  isPending = false,
): "nothing" | "same" | "pending" | "other" {
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
