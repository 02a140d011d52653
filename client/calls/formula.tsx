import type { RefundReason } from "#db/lists/calls.ts";
import { labelsOf } from "#src/base/contract.ts";
import type { PaidSettlementView, ReceiptView, SettlementView } from "#src/play/calls/schemas.ts";
import { formatChange } from "../base/format/money.ts";
import { fill } from "../ui/fill.tsx";
import { ClockTime } from "../ui/time.tsx";
import * as texts from "./calls-texts.ts";
import { ResultWord } from "./result-word.tsx";

const refundLabel = labelsOf<RefundReason>({
  void: texts.allRefundedVoid,
  effective_at: texts.allRefundedTooLate,
  no_winner: texts.allRefundedNoWinner,
  no_loser: texts.allRefundedNoLoser,
});

/** Why nobody was paid, in one sentence; null where there were winners. */
export function noPayoutReason({
  refundReason,
  poolCents,
}: Pick<SettlementView, "refundReason" | "poolCents">): string | null {
  if (refundReason !== null) return refundLabel(refundReason);
  return poolCents === 0 ? texts.nothingToPay : null;
}

/** How a call's payout was computed, and its corrections. */
export function Formula({ receipt, day }: { receipt: ReceiptView; day: string }) {
  const { settlements, labels } = receipt;
  const latest = settlements.at(-1);
  if (latest === undefined) return null;
  return (
    <>
      <div className="formula num">
        <Numbers settlement={latest} labels={labels} />
      </div>
      {settlements.length === 1 && latest.reason === null ? null : (
        <ol className="decisions small" aria-label={texts.decisions}>
          {settlements.map((settlement) => (
            <li key={settlement.version}>
              <span className="row wrap">
                {fill(settlement.version === 1 ? texts.firstDecision : texts.correctedTo, {
                  result: <ResultWord result={settlement.result} labels={labels} />,
                })}
                <span className="muted">
                  <ClockTime at={settlement.settledAt} day={day} />
                </span>
                <b className="num push">{formatChange(settlement.changeCents)}</b>
              </span>
              {settlement.reason === null ? null : <span className="ink2">{settlement.reason}</span>}
              {settlement.version === 1 ? null : <Change settlement={settlement} />}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function Change({ settlement: { payoutCents, changeCents } }: { settlement: PaidSettlementView }) {
  return <span className="muted">{texts.paidInsteadOf(payoutCents, payoutCents - changeCents)}</span>;
}

type NumbersProps = { settlement: PaidSettlementView; labels: ReceiptView["labels"] };

function Numbers({ settlement, labels }: NumbersProps) {
  const { formula, outcome, result } = settlement;
  if (formula !== null) {
    const { poolCents, wagerCents, winningPoolCents, floorCents, extraCents } = formula;
    return (
      <>
        {texts.payoutFormula(poolCents, wagerCents, winningPoolCents)}
        <br />
        <b>{extraCents === 0 ? texts.payoutResult(floorCents) : texts.payoutWithExtraCent(floorCents)}</b>
      </>
    );
  }
  if (outcome === "lost" && result !== "void") {
    return fill(texts.lostReason(settlement.poolCents), { label: <b>{labels[result]}</b> });
  }
  return <>{noPayoutReason(settlement) ?? texts.refundedTooLate}</>;
}
