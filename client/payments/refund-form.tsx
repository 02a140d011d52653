import { useId } from "react";
import { REASON_LENGTH_MAX } from "#src/payments/contract.ts";
import type { PaymentView } from "#src/payments/schemas.ts";
import { Confirm } from "../ui/confirm.tsx";
import { Field } from "../ui/field.tsx";
import { formatMoney } from "../ui/money.ts";

type RefundFormProps = {
  payment: PaymentView;
  /** Start of the Idempotency-Key: a form sent twice refunds once. */
  formKey: string;
  /** The typed values of a refused form. */
  typed: { amount: string; reason: string } | undefined;
};

/** The button that refunds all or part of a payment, with its dialog. Hidden where nothing is left to refund. */
export function RefundForm({ payment, formKey, typed }: RefundFormProps) {
  const id = useId();
  const leftCents = refundableCents(payment);
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

/** The amount minus refunds, disputes and pending refunds, in cents. */
function refundableCents({ state, amountCents, refundedCents, chargebacks }: PaymentView): number {
  if (state !== "succeeded") return 0;
  const pending = chargebacks.filter((chargeback) => chargeback.state === "asked");
  return amountCents - refundedCents - pending.reduce((sum, { amountCents: cents }) => sum + cents, 0);
}
