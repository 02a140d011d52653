import { Form, Link, useLoaderData } from "react-router";
import type { PaymentAnswer } from "#src/payments/schemas.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Cover } from "../ui/cover.tsx";
import { formatMoney } from "../ui/money.ts";
import { Note } from "../ui/note.tsx";
import { Submit } from "../ui/submit.tsx";
import { PaymentNote } from "./payment-note.tsx";

/** The test provider's checkout. No money is charged. */
export function CheckoutScreen() {
  const { payment } = useLoaderData<PaymentAnswer>();
  const ended = payment.state !== "pending" && payment.state !== "failed";
  return (
    <Cover>
      <section className="dialog">
        <h1>Pay {formatMoney(payment.amountCents)}</h1>
        {ended ? (
          <PaymentNote payment={payment} />
        ) : (
          <>
            <Note>This is a test checkout. Nobody is charged.</Note>
            <Form className="stack" method="post">
              <CsrfField />
              <Submit className="btn primary lg wide" intent="succeeded">
                {`Pay ${formatMoney(payment.amountCents)}`}
              </Submit>
              <Submit className="btn wide" intent="failed">
                Decline
              </Submit>
            </Form>
          </>
        )}
        <p className="small ink2">
          <Link to="/profile/wallet">Back to the wallet</Link>
        </p>
      </section>
    </Cover>
  );
}
