import { type ActionFunctionArgs, Form, Link, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { PaymentNote } from "#client/payments/payment-note.tsx";
import * as texts from "#client/payments/payments-texts.ts";
import { Cover } from "#client/ui/cover.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
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

/** One of the viewer's payments, by the reference in the path. */
export async function loadPayment({ context, params, request }: LoaderFunctionArgs): Promise<PaymentAnswer> {
  return context.get(apiContext).get(`/api/v1/payments/${encodeURIComponent(params["reference"] ?? "")}`, {
    signal: request.signal,
  });
}

/** Ends the test checkout as the player chose and returns to the wallet, which shows the outcome. */
export async function endCheckout({ context, params, request }: ActionFunctionArgs) {
  const reference = encodeURIComponent(params["reference"] ?? "");
  const { intent: outcome } = readForm(await request.formData(), { intent: "text" });
  await context.get(apiContext).post(`/api/v1/payments/${reference}/test`, { payment: { outcome } });
  return seeOther(`/profile/wallet?payment=${reference}`);
}
