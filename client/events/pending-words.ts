import type { ViewerCalls } from "#client/calls/viewer-calls.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import * as texts from "./action-texts.ts";
import { refundCause } from "./result-label.ts";

/**
 * What a result that is not paid yet means for the viewer's calls; null without one. It says nothing about money: until it is paid
 * the host may change the result, and calls that came after the moment that decided it are refunded.
 */
export function pendingWords(event: EventView, viewerCalls: ViewerCalls | null): string | null {
  if (viewerCalls === null || viewerCalls.calls.length === 0) return null;
  if (event.pendingResult === "void" || refundCause(event) !== null) return texts.wagerComesBack;
  const { wageredCents } = viewerCalls;
  if (wageredCents.true > 0 && wageredCents.false > 0) return texts.calledBothSides;
  return wageredCents[`${event.pendingResult === true}`] > 0 ? texts.calledItSoFar : texts.notThisTime;
}
