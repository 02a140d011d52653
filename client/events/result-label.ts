import { formatMoney } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import type { ViewerCalls } from "#client/calls/viewer-calls.ts";
import type { EventResult } from "#db/lists/events.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { ActionState } from "./action-state.ts";
import * as texts from "./action-texts.ts";

/** The label of the side that won, or "Called off"; also while the result is still to be paid. */
export function resultLabel(event: EventView): string {
  return labelOf(event, resultOf(event));
}

/** The same of any result of the event. */
export function labelOf({ trueLabel, falseLabel }: EventView, result: EventResult): string {
  const labels: Readonly<Record<EventResult, string>> = {
    true: trueLabel,
    false: falseLabel,
    void: words.calledOff,
  };
  return labels[result];
}

/** The event's result as the list of results names it, also while it is still to be paid; only of an event that has one. */
export function resultOf({ voided, result, pendingResult }: EventView): EventResult {
  if (voided || pendingResult === "void") return "void";
  return `${(result ?? pendingResult) === true}`;
}

/** Why a result refunded everybody; null where it was called off, or where calls came after the moment that decided it. */
export function refundCause(event: EventView): string | null {
  const { voided, pool } = event;
  if (voided || pool.trueCents * pool.falseCents > 0) return null;
  const rightCents = resultOf(event) === "true" ? pool.trueCents : pool.falseCents;
  return rightCents > 0 ? texts.otherSideEmpty : "Nobody called it";
}

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

const withdrawnText = { skip: "Skipped", reset: "Reset" } as const;

/** What became of the event that the host has skipped or reset, and of the viewer's money on it; null without one. */
export function withdrawnWords({
  withdrawn,
  ownCalls,
}: Pick<ActionState, "withdrawn" | "ownCalls">): { title: string; hint: string } | null {
  if (withdrawn === null) return null;
  const own = ownCalls.filter(({ call }) => call.eventId === withdrawn.event.id && isBack(call));
  const cents = own.reduce((sum, { call }) => sum + call.wagerCents, 0);
  return {
    title: texts.byTheHost(withdrawnText[withdrawn.cause]),
    hint: cents === 0 ? `${texts.doesNotCount}.` : `${formatMoney(cents)} is back.`,
  };
}

/** Also while the message about the call is on its way. What its player has taken back before is another matter. */
function isBack({ state, refundedBy }: CallView): boolean {
  return state !== "soft_destroyed" || refundedBy !== null;
}
