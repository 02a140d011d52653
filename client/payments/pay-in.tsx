import { useState } from "react";
import { Form, Link } from "react-router";
import { PAYMENT_MAX, PAYMENT_MIN } from "#src/money/payments/contract.ts";
import { CsrfField } from "../ui/csrf-field.tsx";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { Panel } from "../ui/page-layout.tsx";
import { Submit } from "../ui/submit.tsx";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import * as texts from "./payments-texts.ts";
import type { PayInRefusal } from "./send-pay-in.ts";

const AMOUNT_DEFAULT = "20";

type PayInProps = {
  formKey: string;
  /** The form's first amount, from the address; null: the default. */
  amount: string | null;
  refusal: PayInRefusal | undefined;
};

/**
 * The form that starts a payment. `formKey` is its Idempotency-Key: sent twice, it makes one payment. The first key counts, also
 * after the page's data was loaded again.
 */
export function PayIn({ formKey, amount, refusal }: PayInProps) {
  const [key] = useState(formKey);
  const amountErrors = refusal?.errors["amount"];
  const form = useErrorFocus<HTMLFormElement>(refusal);
  return (
    <Panel title={texts.addMoney} aside={<Link to="/profile/wallet/payments">{texts.yourPayments}</Link>}>
      <Form className="stack body" method="post" ref={form}>
        <CsrfField />
        <input type="hidden" name="key" value={key} />
        {refusal === undefined || amountErrors !== undefined ? null : (
          <Note tone="bad">{refusal.refusal}</Note>
        )}
        <Field
          label={texts.amountInDollars}
          name="amount"
          inputMode="decimal"
          value={refusal?.amount ?? amount ?? AMOUNT_DEFAULT}
          hint={texts.amountHint(PAYMENT_MIN, PAYMENT_MAX)}
          errors={amountErrors}
        />
        <Submit>{texts.goToTheCheckout}</Submit>
      </Form>
    </Panel>
  );
}
