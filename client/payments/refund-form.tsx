import { useId } from "react";
import * as words from "#client/base/format/words.ts";
import { boundTo } from "#client/ui/forms/bind.ts";
import { REASON_LENGTH_MAX } from "#src/http/contract.ts";
import type { PaymentView } from "#src/money/payments/schemas.ts";
import { formatMoney } from "../base/format/money.ts";
import { Confirm } from "../ui/confirm.tsx";
import { Field } from "../ui/field.tsx";
import type { Refused } from "../ui/forms/refused.ts";
import { typedMoney } from "../ui/money/typed-money.ts";

type RefundFormProps = {
  payment: PaymentView;
  /** Start of the Idempotency-Key: a form sent twice refunds once. */
  formKey: string;
  /** Why the form for this payment was refused, and what was typed. */
  refusal: (Refused & { amount: string; reason: string }) | undefined;
};

/** The button that refunds all or part of a payment, with its dialog. Hidden where nothing is left to refund. */
export function RefundForm({ payment, formKey, refusal }: RefundFormProps) {
  const id = useId();
  const leftCents = refundableCents(payment);
  if (leftCents <= 0) return null;
  const amount = formatMoney(payment.amountCents);
  const bind = boundTo(refusal, { amount: typedMoney(leftCents) });
  return (
    <Confirm
      label={
        <>
          Refund
          <span className="vh"> {`the payment of ${amount}`}</span>
        </>
      }
      className="btn sm"
      title={`Refund the payment of ${amount}?`}
      act={{ label: "Refund", intent: "refund", className: "btn bad" }}
      refusal={refusal}
    >
      <p>
        It is paid back to where it came from, and taken from the wallet. What the wallet cannot cover is
        owed.
      </p>
      <input type="hidden" name="reference" value={payment.reference} />
      <input type="hidden" name="key" value={`${formKey}-${payment.id}`} />
      <Field
        label={words.amountInDollars}
        id={`${id}-amount`}
        inputMode="decimal"
        hint={`At most ${formatMoney(leftCents)}.`}
        {...bind("amount")}
      />
      <Field
        label={words.reason}
        id={`${id}-reason`}
        maxLength={REASON_LENGTH_MAX}
        hint={words.thePlayerReadsIt}
        {...bind("reason")}
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
