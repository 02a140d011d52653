import * as words from "#client/base/format/words.ts";
import type { RefundReason } from "#db/lists/calls.ts";
import { labelsOf } from "#src/base/contract.ts";
import type { PaidSettlementView, ReceiptView, SettlementView } from "#src/play/calls/schemas.ts";
import { formatChange, formatMoney } from "../base/format/money.ts";
import { fill } from "../ui/fill.tsx";
import { ClockTime } from "../ui/time.tsx";
import { ResultWord } from "./result-word.tsx";

const refundLabel = labelsOf<RefundReason>({
  void: "The question was called off, so everybody was refunded.",
  effective_at: "Every call came after the moment that decided it, so everybody was refunded.",
  no_winner: "Nobody had called the result, so everybody was refunded.",
  no_loser: "Nobody had taken the other side: there was nothing to win, and all wagers were refunded.",
});

/** Why nobody was paid, in one sentence; null where there were winners. */
export function noPayoutReason({
  refundReason,
  poolCents,
}: Pick<SettlementView, "refundReason" | "poolCents">): string | null {
  if (refundReason !== null) return refundLabel(refundReason);
  return poolCents === 0 ? "Nobody had called this one, so there was nothing to pay." : null;
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
        <ol className="decisions small" aria-label={words.decisions}>
          {settlements.map((settlement) => (
            <li key={settlement.version}>
              <span className="row wrap">
                {fill(settlement.version === 1 ? words.resultIs : words.correctedTo, {
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
  return (
    <span className="muted">{`Paid ${formatMoney(payoutCents)} instead of ${formatMoney(payoutCents - changeCents)}.`}</span>
  );
}

type NumbersProps = { settlement: PaidSettlementView; labels: ReceiptView["labels"] };

function Numbers({ settlement, labels }: NumbersProps) {
  const { formula, outcome, result } = settlement;
  if (formula !== null) {
    const { poolCents, wagerCents, winningPoolCents, floorCents, extraCents } = formula;
    return (
      <>
        {`${formatMoney(poolCents)} x ${formatMoney(wagerCents)} / ${formatMoney(winningPoolCents)}`}
        <br />
        <b>
          {extraCents === 0
            ? `= ${formatMoney(floorCents)}`
            : `= ${formatMoney(floorCents)}, plus 1 cent by remainder`}
        </b>
      </>
    );
  }
  if (outcome === "lost" && result !== "void") {
    return fill(`The pool of ${formatMoney(settlement.poolCents)} went to those who had called {label}.`, {
      label: <b>{labels[result]}</b>,
    });
  }
  return (
    <>{noPayoutReason(settlement) ?? "The call came after the moment that decided it, and was refunded."}</>
  );
}
