import type { RefundCause as Cause, RefundReason } from "#db/lists/calls.ts";
import { labelsOf } from "#src/base/contract.ts";
import type { CallView } from "#src/play/calls/schemas.ts";

const causeLabel = labelsOf<Cause | RefundReason>({
  skip: "The host skipped it",
  reset: "The host reset it",
  admin: "The host took it back",
  void: "The question was called off",
  no_winner: "Nobody called the result",
  no_loser: "You were right. Nobody took the other side.",
  effective_at: "It came too late",
});

type Returned = Pick<CallView, "refundedBy" | "refundReason">;

/** Why a wager came back, beside the call's pill. Where it came too late, its receipt says so. That its player took it back says the pill. */
export function RefundCause({ call: { refundedBy, refundReason } }: { call: Returned }) {
  const cause = refundedBy ?? refundReason;
  return cause === null ? null : <span className="tiny muted">{causeLabel(cause)}</span>;
}
