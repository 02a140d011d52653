import type { ReactNode } from "react";
import { Link } from "react-router";
import * as words from "#client/base/format/words.ts";
import type { PaymentState } from "#db/lists/payments.ts";
import { entriesOf } from "#src/base/contract.ts";
import type { ChargebackView, PaymentView } from "#src/money/payments/schemas.ts";
import { formatMoney } from "../base/format/money.ts";
import { fill } from "../ui/fill.tsx";
import type { IconName } from "../ui/icon.tsx";
import { Note } from "../ui/note.tsx";
import { Pill, type PillTone } from "../ui/pill.tsx";
import { Moment } from "../ui/time.tsx";

const disputeOpened = (amount: string) => `${amount} disputed with the bank`;

type PaymentListProps = {
  payments: readonly PaymentView[];
  actions: (payment: PaymentView) => ReactNode;
};

export function PaymentList({ payments, actions }: PaymentListProps) {
  return (
    <ul className="list">
      {payments.map((payment) => (
        <li key={payment.id} className="payment">
          <div className="grow">
            <b className="num">{formatMoney(payment.amountCents)}</b>
            <span className="tiny muted">
              {fill(payment.state === "failed" ? "{at}, nothing was charged" : "{at}", {
                at: <Moment at={payment.createdAt} />,
              })}
            </span>
          </div>
          <Pill {...pillOf(payment)} />
          {actions(payment)}
          <Chargebacks chargebacks={payment.chargebacks} />
        </li>
      ))}
    </ul>
  );
}

function Chargebacks({ chargebacks }: { chargebacks: readonly ChargebackView[] }) {
  if (chargebacks.length === 0) return null;
  return (
    <ul className="tiny ink2 wrap-anywhere">
      {chargebacks.map((chargeback) => (
        <li key={chargeback.id}>
          {describeChargeback(chargeback)}, <Moment at={chargeback.createdAt} />
          {chargeback.reason === null ? null : <span>: {chargeback.reason}</span>}
        </li>
      ))}
    </ul>
  );
}

type PillContent = { icon: IconName; tone: PillTone; text: string };

function pillOf({ state, refundedCents, chargebacks }: PaymentView): PillContent {
  if (state === "pending") return { icon: "clock", tone: "plain", text: "Waiting" };
  if (state === "failed") return { icon: "cross", tone: "bad", text: "Did not work" };
  if (refundedCents === 0) return { icon: "tick", tone: "ok", text: "Paid in" };
  const disputed = chargebacks.some(({ cause, state: taken }) => cause === "dispute" && taken === "taken");
  if (disputed) return { icon: "undo", tone: "warn", text: "Disputed" };
  return {
    icon: "undo",
    tone: "outline",
    text: state === "refunded" ? words.refunded : "Partly refunded",
  };
}

function describeChargeback({ cause, state, amountCents }: ChargebackView): string {
  const amount = formatMoney(amountCents);
  return cause === "refund" ? refundTexts[state](amount) : disputeTexts[state](amount);
}

type Texts = Record<ChargebackView["state"], (amount: string) => string>;

const refundTexts: Texts = {
  asked: (amount) => `Refund of ${amount} is on its way`,
  taken: (amount) => `${amount} refunded`,
  refused: (amount) => `Refund of ${amount} was not possible`,
  returned: (amount) => `Refund of ${amount} did not work, and is back in the wallet`,
};
const disputeTexts: Texts = {
  asked: (amount) => disputeOpened(amount),
  taken: (amount) => `${amount} disputed with the bank, and taken back`,
  refused: (amount) => disputeOpened(amount),
  returned: (amount) => `Dispute of ${amount} is over, and it is back in the wallet`,
};

const toneOf = entriesOf<PaymentState, "plain" | "ok" | "bad">(
  { pending: "plain", succeeded: "ok", failed: "bad", refunded: "plain" },
  "plain",
);

const sentenceOf = entriesOf<PaymentState, (amount: string) => string>(
  {
    pending: (amount) =>
      `We wait for word of your payment of ${amount}. The wallet shows it as soon as it is here.`,
    succeeded: (amount) => `${amount} is in your wallet.`,
    failed: (amount) => `Your payment of ${amount} did not work, and nothing was charged. You can try again.`,
    refunded: (amount) => `Your payment of ${amount} was taken back.`,
  },
  (amount) => amount,
);

export function PaymentNote({ payment }: { payment: PaymentView }) {
  const { state, amountCents, refundedCents, chargebacks } = payment;
  const partly = state === "succeeded" && refundedCents > 0;
  return (
    <Note tone={partly ? "plain" : toneOf(state)}>
      {partly
        ? `${formatMoney(refundedCents)} of your payment of ${formatMoney(amountCents)} was taken back.`
        : sentenceOf(state)(formatMoney(amountCents))}{" "}
      {chargebacks.length === 0 ? null : <Link to="/profile/wallet/payments">See your payments</Link>}
    </Note>
  );
}
