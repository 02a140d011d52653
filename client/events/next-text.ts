import type { EventView } from "#src/show/events/schemas.ts";
import { minutes } from "../base/format/countdown.ts";
import { useServerTime } from "../base/live/clock.ts";
import { useView, type View } from "./view.ts";

/**
 * When the next question comes, as far as it is known: "Next question in 0:08", or whom it waits for. Null if nothing is known. In a
 * pause the clock stands still, and no time is said.
 */
export function useNextText(): string | null {
  const { state, event, data } = useView();
  const opensAt = state.session.pausedAt === null ? nextOpening(state.events) : null;
  const left = useServerTime(
    (nowMs) => (opensAt === null ? null : minutes(Date.parse(opensAt) - nowMs)),
    data.serverTime,
  );
  if (left !== null) return `Next question in ${left}`;
  return event === null ? null : waitText(event);
}

/** The planned opening of the event that opens first. */
function nextOpening(events: View["state"]["events"]): string | null {
  const moments = events.flatMap(({ state, opensAt }) => (state === "visible" ? (opensAt ?? []) : []));
  return moments.toSorted()[0] ?? null;
}

function waitText({ state, nextStart }: EventView): string | null {
  if (nextStart === "by_hand") return "The host opens the next question";
  return nextStart === "after_result" && state === "closed" ? "The next question follows the result" : null;
}
