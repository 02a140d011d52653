import type { RefundCause as Cause, RefundReason } from "#db/lists/calls.ts";
import { labelsOf } from "#src/base/contract.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import * as texts from "./refund-texts.ts";

const causeLabel = labelsOf<Cause | RefundReason | "player">({
  player: texts.takenBack,
  skip: texts.skippedByHost,
  reset: texts.resetByHost,
  admin: texts.takenBackByHost,
  void: texts.calledOff,
  no_winner: texts.nobodyRight,
  no_loser: texts.noOtherSide,
  effective_at: texts.cameTooLate,
});

type Returned = Pick<CallView, "state" | "refundedBy" | "refundReason">;

/** Why a wager came back, beside the call's pill. Where it came too late, its receipt says so. */
export function RefundCause({ call: { state, refundedBy, refundReason } }: { call: Returned }) {
  const cause = refundedBy ?? refundReason ?? (state === "soft_destroyed" ? "player" : null);
  return cause === null ? null : <span className="tiny muted">{causeLabel(cause)}</span>;
}
