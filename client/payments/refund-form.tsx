import { useId } from "react";
import { REASON_LENGTH_MAX } from "#src/payments/contract.ts";
import type { PaymentView } from "#src/payments/schemas.ts";
import { Confirm } from "../ui/confirm.tsx";
import { Field } from "../ui/field.tsx";
import { formatMoney } from "../ui/money.ts";

type RefundFormProps = {
  payment: PaymentView;
  /** Idempotency-Key: a form that is sent twice refunds once. */
  formKey: string;
  /** What was typed into a form that was refused. */
  typed: { amount: string; reason: string } | undefined;
};

/** The button that refunds (a part of) a payment, and the question that it asks first. Nothing where nothing is left. */
export function RefundForm({ payment, formKey, typed }: RefundFormProps) {
  const id = useId();
  const leftCents = leftOf(payment);
  if (leftCents <= 0) return null;
  const amount = formatMoney(payment.amountCents);
  return (
    <Confirm
      label={
        <>
          Refund<span className="vh"> the payment of {amount}</span>
        </>
      }
      className="btn sm"
      title={`Refund the payment of ${amount}?`}
      act={{ label: "Refund", intent: "refund", className: "btn bad" }}
    >
      <p>
        It is paid back to where it came from, and taken from the wallet. What the wallet cannot cover is
        owed.
      </p>
      <input type="hidden" name="reference" value={payment.reference} />
      <input type="hidden" name="key" value={`${formKey}-${payment.id}`} />
      <Field
        label="Amount in dollars"
        name="amount"
        id={`${id}-amount`}
        type="number"
        inputMode="decimal"
        step="0.01"
        min={0.01}
        max={leftCents / 100}
        value={typed?.amount ?? String(leftCents / 100)}
        hint={`At most ${formatMoney(leftCents)}.`}
      />
      <Field
        label="Reason"
        name="reason"
        id={`${id}-reason`}
        maxLength={REASON_LENGTH_MAX}
        hint="The player reads it."
        value={typed?.reason ?? ""}
      />
    </Confirm>
  );
}

/** What is neither taken back nor promised. */
function leftOf({ state, amountCents, refundedCents, chargebacks }: PaymentView): number {
  if (state !== "succeeded") return 0;
  const asked = chargebacks.filter((chargeback) => chargeback.state === "asked");
  return amountCents - refundedCents - asked.reduce((sum, { amountCents: cents }) => sum + cents, 0);
}
