import { Form, Link, useLoaderData } from "react-router";
import type { PaymentAnswer } from "#src/payments/schemas.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Cover } from "../ui/cover.tsx";
import { Note } from "../ui/note.tsx";
import { Submit } from "../ui/submit.tsx";
import { PaymentNote } from "./payment-note.tsx";
import * as texts from "./payments-texts.ts";

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
