import type { RefundCause as Cause } from "#db/lists/calls.ts";
import type { CallView } from "#src/calls/schemas.ts";

const words: Record<Cause, string> = {
  skip: "The host skipped it",
  reset: "The host reset it",
  admin: "The host took it back",
};

/** Why a call was refunded without a result, beside the word "Refunded". */
export function RefundCause({ call: { refundedBy } }: { call: Pick<CallView, "refundedBy"> }) {
  return refundedBy === null ? null : <span className="tiny muted">{words[refundedBy]}</span>;
}
