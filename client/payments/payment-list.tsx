import type { ReactNode } from "react";
import type { ChargebackView, PaymentView } from "#src/payments/schemas.ts";
import type { IconName } from "../ui/icon.tsx";
import { formatMoney } from "../ui/money.ts";
import { Pill, type PillTone } from "../ui/pill.tsx";
import { Moment } from "../ui/time.tsx";

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
              <Moment at={payment.createdAt} />
              {payment.state === "failed" ? ", nothing was charged" : null}
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
          {chargeback.reason === null ? null : `: ${chargeback.reason}`}
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
  if (state === "pending") return { icon: "clock", tone: "plain", text: "Waiting" };
  if (state === "failed") return { icon: "cross", tone: "bad", text: "Did not work" };
  if (refundedCents === 0) return { icon: "tick", tone: "ok", text: "Paid in" };
  const disputed = chargebacks.some(({ cause, state: taken }) => cause === "dispute" && taken === "taken");
  if (disputed) return { icon: "undo", tone: "warn", text: "Disputed" };
  return { icon: "undo", tone: "outline", text: state === "refunded" ? "Refunded" : "Partly refunded" };
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
  asked: (amount) => `${amount} disputed with the bank`,
  taken: (amount) => `${amount} disputed with the bank, and taken back`,
  refused: (amount) => `${amount} disputed with the bank`,
  returned: (amount) => `Dispute of ${amount} is over, and it is back in the wallet`,
};
