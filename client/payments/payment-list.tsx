import type { ReactNode } from "react";
import type { ChargebackView, PaymentView } from "#src/money/payments/schemas.ts";
import { formatMoney } from "../base/format/money.ts";
import { fill } from "../ui/fill.tsx";
import type { IconName } from "../ui/icon.tsx";
import { Pill, type PillTone } from "../ui/pill.tsx";
import { Moment } from "../ui/time.tsx";
import * as texts from "./payments-texts.ts";

type PaymentListProps = {
  payments: readonly PaymentView[];
  /** The buttons at the end of a payment's row. */
  actions: (payment: PaymentView) => ReactNode;
};

/** Payments with their states, refunds and disputes. */
export function PaymentList({ payments, actions }: PaymentListProps) {
  return (
    <ul className="list">
      {payments.map((payment) => (
        <li key={payment.id} className="payment">
          <div className="grow">
            <b className="num">{formatMoney(payment.amountCents)}</b>
            <span className="tiny muted">
              {fill(payment.state === "failed" ? texts.failedAt : "{at}", {
                at: <Moment at={payment.createdAt} />,
              })}
            </span>
          </div>
          <PaymentPill payment={payment} />
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

function PaymentPill({ payment }: { payment: PaymentView }) {
  const { icon, tone, text } = pillOf(payment);
  return (
    <Pill icon={icon} tone={tone}>
      {text}
    </Pill>
  );
}

type PillContent = { icon: IconName; tone: PillTone; text: string };

/** A payment's state as a pill. */
function pillOf({ state, refundedCents, chargebacks }: PaymentView): PillContent {
  if (state === "pending") return { icon: "clock", tone: "plain", text: texts.waiting };
  if (state === "failed") return { icon: "cross", tone: "bad", text: texts.didNotWork };
  if (refundedCents === 0) return { icon: "tick", tone: "ok", text: texts.paidIn };
  const disputed = chargebacks.some(({ cause, state: taken }) => cause === "dispute" && taken === "taken");
  if (disputed) return { icon: "undo", tone: "warn", text: texts.disputed };
  return {
    icon: "undo",
    tone: "outline",
    text: state === "refunded" ? texts.refunded : texts.partlyRefunded,
  };
}

function describeChargeback({ cause, state, amountCents }: ChargebackView): string {
  const amount = formatMoney(amountCents);
  return cause === "refund" ? refundTexts[state](amount) : disputeTexts[state](amount);
}

type Texts = Record<ChargebackView["state"], (amount: string) => string>;

const refundTexts: Texts = {
  asked: (amount) => texts.refundAsked(amount),
  taken: (amount) => texts.refundTaken(amount),
  refused: (amount) => texts.refundRefused(amount),
  returned: (amount) => texts.refundReturned(amount),
};
const disputeTexts: Texts = {
  asked: (amount) => texts.disputeOpened(amount),
  taken: (amount) => texts.disputeTaken(amount),
  refused: (amount) => texts.disputeOpened(amount),
  returned: (amount) => texts.disputeReturned(amount),
};
