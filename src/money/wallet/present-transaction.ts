import type { WalletTransaction } from "#db/ledger/wallet-moves.ts";
import type { RefundCause } from "#db/lists/calls.ts";
import { labelsOf } from "#src/base/contract.ts";
import { say } from "#src/http/contract.ts";
import { dollarsOf } from "#src/http/money.ts";
import type { TransactionView } from "./schemas.ts";

/** A transaction of a wallet as the API returns it. */
export function presentTransaction(row: WalletTransaction): TransactionView {
  return {
    id: row.id,
    kind: row.kind,
    amount: dollarsOf(row.amountCents),
    amountCents: row.amountCents,
    balanceAfter: dollarsOf(row.balanceAfterCents),
    balanceAfterCents: row.balanceAfterCents,
    availableAfter: dollarsOf(row.availableAfterCents),
    availableAfterCents: row.availableAfterCents,
    callId: row.callId,
    eventId: row.eventId,
    sessionId: row.sessionId,
    paymentId: row.paymentId,
    memo: memoOf(row),
    createdAt: row.createdAt.toISOString(),
  };
}

/**
 * A short text: the kind of transaction, and the event or reason. Example: "Won: Rain by noon?". Of grants only what the house adds to a
 * call has an event, and its reason says it.
 */
function memoOf(row: WalletTransaction): string {
  const about = row.eventTitle ?? row.reason ?? "";
  const label = row.kind === "grant" && row.eventTitle !== null ? (row.reason ?? "") : labelOf(row);
  return about === "" ? label : say`${label}: ${about}`;
}

function labelOf(row: WalletTransaction): string {
  if (row.owed) return row.amountCents < 0 ? "Paid back what was owed" : "Lent for a correction";
  if (row.kind === "refund" && row.paymentId !== null)
    return row.amountCents < 0 ? "Payment refunded" : "Payment is back";
  if (row.kind === "refund" && row.refundedBy !== null) return refundLabel(row.refundedBy);
  if (row.kind === "settle") return row.outcome === "won" ? "Won" : "Lost";
  return kindLabel(row.kind);
}

const kindLabel = labelsOf<Exclude<WalletTransaction["kind"], "settle">>({
  grant: "Play money",
  deposit: "Deposit",
  hold: "Call placed",
  release: "Call taken back by you",
  refund: "Refunded",
  correction: "Result corrected",
  adjustment: "Adjustment",
});

const refundLabel = labelsOf<RefundCause>({
  skip: "Refunded, the host skipped it",
  reset: "Refunded, the host reset it",
  admin: "Refunded, the host took your call back",
});
