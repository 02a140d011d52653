import type { ViewerCalls } from "#client/calls/viewer-calls.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import * as texts from "./action-texts.ts";
import { refundCause } from "./result-label.ts";

const wagerComesBack = "Your wager comes back.";

/**
 * What a result that is not paid yet means for the viewer's calls; null without one. It says nothing about money: until it is paid
 * the host may change the result, and calls that came after the moment that decided it are refunded.
 */
export function pendingWords(event: EventView, viewerCalls: ViewerCalls | null): string | null {
  if (viewerCalls === null || viewerCalls.calls.length === 0) return null;
  const { wageredCents } = viewerCalls;
  const isRight = wageredCents[`${event.pendingResult === true}`] > 0;
  if (event.pendingResult === "void") return wagerComesBack;
  if (refundCause(event) !== null) return isRight ? texts.right : wagerComesBack;
  if (wageredCents.true > 0 && wageredCents.false > 0) return "You called both sides.";
  return isRight ? "You called it." : "Not this time.";
}
