import type { CallView } from "#src/play/calls/schemas.ts";
import type { ActionState } from "./action-state.ts";
import * as texts from "./action-texts.ts";

const withdrawnText = { skip: "Skipped", reset: "Reset" } as const;

/** What became of the event that the host has skipped or reset, and of the viewer's money on it; null without one. */
export function withdrawnWords({
  withdrawn,
  ownCalls,
}: Pick<ActionState, "withdrawn" | "ownCalls">): { title: string; hint: string } | null {
  if (withdrawn === null) return null;
  const own = ownCalls.filter(({ call }) => call.eventId === withdrawn.event.id && isBack(call));
  const cents = own.reduce((sum, { call }) => sum + call.wagerCents, 0);
  return { title: texts.byTheHost(withdrawnText[withdrawn.cause]), hint: texts.withdrawnHint(cents) };
}

/** Also while the message about the call is on its way. What its player has taken back before is another matter. */
function isBack({ state, refundedBy }: CallView): boolean {
  return state !== "soft_destroyed" || refundedBy !== null;
}
