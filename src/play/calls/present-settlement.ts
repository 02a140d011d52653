import type { Settlement } from "#db/ledger/list-settlements.ts";
import type { RefundReason } from "#db/lists/calls.ts";
import { present } from "#src/http/present.ts";
import { settlementSchema, type SettlementView } from "./schemas.ts";

export function presentSettlement(settlement: Settlement): SettlementView {
  const refundReason = refundReasonOf(settlement);
  return present(settlementSchema, { ...settlement, settledAt: settlement.createdAt, refundReason });
}

/** Why everybody was refunded; null if winners were paid. */
export function refundReasonOf(
  settlement: Pick<Settlement, "result" | "poolCents" | "winningPoolCents" | "refundedCents">,
): RefundReason | null {
  const { result, poolCents, winningPoolCents } = settlement;
  if (result === "void") return "void";
  if (poolCents === 0) return settlement.refundedCents > 0 ? "effective_at" : null;
  if (winningPoolCents === 0) return "no_winner";
  return winningPoolCents === poolCents ? "no_loser" : null;
}
