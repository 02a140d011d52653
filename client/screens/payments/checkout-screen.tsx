import { Form, Link, useLoaderData } from "react-router";
import { PaymentNote } from "#client/payments/payment-note.tsx";
import * as texts from "#client/payments/payments-texts.ts";
import { Cover } from "#client/ui/cover.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import type { PaymentAnswer } from "#src/money/payments/schemas.ts";

/** The test provider's checkout. No money is charged. */
export function CheckoutScreen() {
  const { payment } = useLoaderData<PaymentAnswer>();
  const ended = payment.state !== "pending" && payment.state !== "failed";
  return (
    <Cover>
      <section className="dialog">
        <h1>{texts.pay(payment.amountCents)}</h1>
        {ended ? (
          <PaymentNote payment={payment} />
        ) : (
          <>
            <Note>{texts.testCheckoutNote}</Note>
            <Form className="stack" method="post">
              <CsrfField />
              <Submit className="btn primary lg wide" intent="succeeded">
                {texts.pay(payment.amountCents)}
              </Submit>
              <Submit className="btn wide" intent="failed">
                {texts.decline}
              </Submit>
            </Form>
          </>
        )}
        <p className="small ink2">
          <Link to="/profile/wallet">{texts.backToTheWallet}</Link>
        </p>
      </section>
    </Cover>
  );
}
