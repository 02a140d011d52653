import type { EventView } from "#src/show/events/schemas.ts";
import * as texts from "./outcome-texts.ts";
import { type ViewerCalls, viewerCallsOn } from "./viewer-calls.ts";

/** A streak of one is no streak. */
const SHOWN_FROM = 2;

type Settled = Pick<EventView, "id" | "state" | "resolvedAt" | "myCalls">;

/**
 * How many of the viewer's actions in a row were won, up to this one. An action that was refunded, called off or even neither
 * breaks a streak nor counts; neither does one without a call.
 * @param events those of the session that the page knows, with the viewer's calls, so the streak is the same after a reload.
 */
export function streakUpTo(events: readonly Settled[], last: Settled): number {
  const settled = events
    .filter((event) => event.state === "resolved" && newestFirst(last, event) <= 0)
    .toSorted(newestFirst);
  let won = 0;
  for (const event of settled) {
    const kind = outcomeKind(event);
    if (kind === "lost") break;
    if (kind === "won") won += 1;
  }
  return won;
}

/** "3 in a row"; empty for a single win, and where this one was not won. */
export function streakText(events: readonly Settled[], last: Settled): string {
  const won = outcomeKind(last) === "won" ? streakUpTo(events, last) : 0;
  return streakWords(won);
}

/** "3 in a row"; empty for a single win and for none. */
export function streakWords(won: number): string {
  return won < SHOWN_FROM ? "" : texts.winsInARow(won);
}

function outcomeKind(event: Settled): NonNullable<ViewerCalls["outcome"]>["kind"] | undefined {
  return viewerCallsOn(event).outcome?.kind;
}

function newestFirst(one: Settled, other: Settled): number {
  return momentOf(other) - momentOf(one) || other.id - one.id;
}

function momentOf({ resolvedAt }: Settled): number {
  return Date.parse(resolvedAt ?? "");
}
