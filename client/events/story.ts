import type { Outcome } from "#client/calls/viewer-calls.ts";
import { isNearlyAlone } from "#src/play/calls/contract.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import * as texts from "./action-texts.ts";

/** From this share of all calls on, the side that has lost was close. */
const CLOSE_FROM = 0.4;

/** What others did, where it makes a story: few saw what the player saw, or how near a loss was. Counted in calls, as in the ticker. */
export function storyOf(
  { spots, callsCount }: Pick<EventView, "spots" | "callsCount">,
  { kind }: Outcome,
  calls: readonly CallView[],
): { text: string; isRare: boolean } | null {
  if (kind !== "won" && kind !== "lost") return null;
  const call = calls.findLast(({ outcome }) => outcome === kind);
  const sameSide = spots.find(({ side }) => side === call?.side)?.callsCount ?? 0;
  const others = sameSide - calls.filter(({ side }) => side === call?.side).length;
  if (kind === "lost") {
    return { text: texts.sawItToo(others, callsCount, sameSide >= callsCount * CLOSE_FROM), isRare: false };
  }
  if (!isNearlyAlone(sameSide, callsCount)) return null;
  return { text: texts.fewSawIt(others, callsCount), isRare: true };
}
