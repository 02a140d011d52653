import type { DecidedPayouts, Settlement } from "#db/ledger/list-settlements.ts";
import type { RefundReason } from "#db/lists/calls.ts";
import type { Side } from "#db/lists/spots.ts";
import { present } from "#src/http/present.ts";
import type { PayoutTerms } from "./contract.ts";
import { settlementSchema, type SettlementView } from "./schemas.ts";

export function presentSettlement(settlement: Settlement): SettlementView {
  const refundReason = refundReasonOf(settlement);
  return present(settlementSchema, { ...settlement, settledAt: settlement.createdAt, refundReason });
}

/** The JSON of what decides each payout. Where all calls are refunded, the pool is shared by all. */
export function presentPayouts(decided: DecidedPayouts): PayoutTerms {
  const { result, poolCents, winningPoolCents, lastRemainder, lastCallId } = decided;
  const refundReason = refundReasonOf(decided);
  const sharedByCents = refundReason === null ? winningPoolCents : poolCents;
  const addedCents = sharedByCents - 1 - lastRemainder;
  const outcomeOf = (side: Side) => {
    if (refundReason !== null) return "refunded";
    return side === result ? "won" : "lost";
  };
  const outcomes = { true: outcomeOf("true"), false: outcomeOf("false") } as const;
  return { outcomes, refundReason, poolCents, sharedByCents, addedCents, lastCallId };
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
