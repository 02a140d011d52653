import type { RefundCause as Cause, RefundReason } from "#db/lists/calls.ts";
import { labelsOf } from "#src/base/contract.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import * as texts from "./refund-texts.ts";

const causeLabel = labelsOf<Cause | RefundReason>({
  skip: texts.skippedByHost,
  reset: texts.resetByHost,
  admin: texts.takenBackByHost,
  void: texts.calledOff,
  no_winner: texts.noOtherSide,
  no_loser: texts.noOtherSide,
  effective_at: texts.cameTooLate,
});

type Refunded = Pick<CallView, "refundedBy" | "refundReason">;

/** Why a call was refunded, beside the word "Refunded". Where it came too late, its receipt says so. */
export function RefundCause({ call: { refundedBy, refundReason } }: { call: Refunded }) {
  const cause = refundedBy ?? refundReason;
  return cause === null ? null : <span className="tiny muted">{causeLabel(cause)}</span>;
}
