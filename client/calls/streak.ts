import type { EventView } from "#src/show/events/schemas.ts";
import { type CalledEvent, isRight, type Outcome, viewerCallsOn } from "./viewer-calls.ts";

/** A streak of one is no streak. */
const SHOWN_FROM = 2;

type Settled = CalledEvent & Pick<EventView, "id" | "state" | "resolvedAt">;

/**
 * How many of the viewer's questions in a row they were right about, up to this one: won, or right where nobody took the other side.
 * One that was refunded otherwise, called off or even neither breaks a streak nor counts; neither does one without a call.
 * @param events those of the session that the page knows, with the viewer's calls, so the streak is the same after a reload.
 */
export function streakUpTo(events: readonly Settled[], last: Settled): number {
  const settled = events
    .filter((event) => event.state === "resolved" && newestFirst(last, event) <= 0)
    .toSorted(newestFirst);
  let won = 0;
  for (const event of settled) {
    const outcome = outcomeOf(event);
    if (outcome?.kind === "lost") break;
    if (isRight(outcome)) won += 1;
  }
  return won;
}

/** "3 in a row"; empty for the first one, and where this one was not called right. */
export function streakText(events: readonly Settled[], last: Settled): string {
  const won = isRight(outcomeOf(last)) ? streakUpTo(events, last) : 0;
  return streakWords(won);
}

/** "3 in a row"; empty for a single win and for none. */
export function streakWords(won: number): string {
  return won < SHOWN_FROM ? "" : `${won} in a row`;
}

function outcomeOf(event: Settled): Outcome | null {
  return viewerCallsOn(event).outcome;
}

function newestFirst(one: Settled, other: Settled): number {
  return momentOf(other) - momentOf(one) || other.id - one.id;
}

function momentOf({ resolvedAt }: Settled): number {
  return Date.parse(resolvedAt ?? "");
}
