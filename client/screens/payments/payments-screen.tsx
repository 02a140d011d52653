import { Link, useActionData, useLoaderData } from "react-router";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { formatMoney } from "#client/base/format/money.ts";
import { pageIn } from "#client/base/format/page-in.ts";
import * as words from "#client/base/format/words.ts";
import type { LoaderArgs, ActionArgs } from "#client/base/page/handle.ts";
import { PaymentList, PaymentNote } from "#client/payments/payment-list.tsx";
import { checkoutOf } from "#client/payments/send-pay-in.ts";
import { useBreak } from "#client/spending/break-row.tsx";
import { fetchSpending, OnBreak, SpendingSummary } from "#client/spending/spending-summary.tsx";
import { Cover } from "#client/ui/cover.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { formAction, type RefusedForm } from "#client/ui/forms/form-action.ts";
import { Named, PostButton, PostForm, Refusal } from "#client/ui/forms/post-form.tsx";
import { readForm } from "#client/ui/forms/read-form.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, ButtonLink } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import type { PaymentAnswer, PaymentsAnswer, PaymentView } from "#src/money/payments/schemas.ts";
import type { SpendingView } from "#src/money/spending/schemas.ts";

const pay = (amountCents: number) => `Pay ${formatMoney(amountCents)}`;

/** The player's payments with their states, and the next step of pending and failed ones. */
export function PaymentsScreen() {
  const { page, spending } = useLoaderData<PaymentsData>();
  return (
    <PageLayout
      title={words.payments}
      actions={<ButtonLink to="/profile/wallet">Back to the wallet</ButtonLink>}
    >
      <Refusal refused={useActionData<PaymentsRefusal>()} />
      <WhenLoaded data={page}>{(answer) => <Payments {...answer} />}</WhenLoaded>
      <SpendingSummary spending={spending} />
    </PageLayout>
  );
}

function Payments({ payments, meta }: PaymentsAnswer) {
  const until = useBreak(meta.serverTime);
  return (
    <>
      {until === null ? null : <OnBreak until={until} />}
      <section className="panel" aria-label={words.payments}>
        {payments.length === 0 ? (
          <EmptyState icon="wallet" title="Nothing paid in yet">
            <p>What you pay into your wallet appears here, with everything that was refunded.</p>
            <Link className="btn primary" to="/profile/wallet">
              {words.addMoney}
            </Link>
          </EmptyState>
        ) : (
          <PaymentList
            payments={payments}
            actions={(payment) => <NextStep payment={payment} onBreak={until !== null} />}
          />
        )}
      </section>
      <Pagination meta={meta} />
    </>
  );
}

/** The next steps of a pending or failed payment. On a break there is none: open checkouts end when it begins. */
function NextStep({ payment, onBreak }: { payment: PaymentView; onBreak: boolean }) {
  const { state, reference, amountCents, checkoutUrl } = payment;
  if (onBreak) return null;
  if (state === "pending" && checkoutUrl !== null) {
    // A provider's checkout is another site, so this is a plain link.
    return (
      <>
        <a className="btn sm" href={checkoutOf(payment)}>
          <Named label="Pay now" name={formatMoney(amountCents)} />
        </a>
        <PostButton className="btn ghost sm" fields={{ reference }}>
          <Named label="Cancel" name={formatMoney(amountCents)} />
        </PostButton>
      </>
    );
  }
  if (state !== "failed") return null;
  return (
    <Link className="btn sm" to={`/profile/wallet?amount=${amountCents / 100}`}>
      <Named label={words.tryAgain} name={formatMoney(amountCents)} />
    </Link>
  );
}

type PaymentsData = { page: Deferred<PaymentsAnswer>; spending: Deferred<SpendingView | null> };

/** A page of the viewer's payments, newest first. */
export async function loadPayments(args: LoaderArgs): Promise<PaymentsData> {
  const { api, url } = args;
  const page = pageIn(url.searchParams);
  const [answer, spending] = await Promise.all([
    defer(args, () => api.get("/api/v1/payments", { query: { page } })),
    defer(args, () => fetchSpending(api)),
  ]);
  return { page: answer, spending };
}

const fields = { reference: "text" } as const;

type PaymentsRefusal = RefusedForm<typeof fields>;

/** Ends an open checkout. The list then shows what has become of it. */
export const cancelCheckout = formAction(fields, async ({ reference }, { api }) => {
  await api.put(`/api/v1/payments/${encodeURIComponent(reference)}/end`);
  return "/profile/wallet/payments";
});

/** The test provider's checkout. No money is charged. */
export function CheckoutScreen() {
  const { payment } = useLoaderData<PaymentAnswer>();
  const ended = payment.state !== "pending";
  return (
    <Cover>
      <section className="dialog">
        <h1>{pay(payment.amountCents)}</h1>
        {ended ? (
          <PaymentNote payment={payment} />
        ) : (
          <>
            <Note>This is a test checkout. Nobody is charged.</Note>
            <PostForm className="stack">
              <Submit className="btn primary lg wide" intent="succeeded">
                {pay(payment.amountCents)}
              </Submit>
              <Submit className="btn wide" intent="failed">
                Decline
              </Submit>
            </PostForm>
          </>
        )}
        <p className="small ink2">
          <Link to="/profile/wallet">Back to the wallet</Link>
        </p>
      </section>
    </Cover>
  );
}

export async function loadPayment({ api, params }: LoaderArgs): Promise<PaymentAnswer> {
  return api.get(`/api/v1/payments/${encodeURIComponent(params["reference"] ?? "")}`);
}

/** Ends the test checkout as the player chose and returns to the wallet, which shows the outcome. */
export async function endCheckout({ api, params, request }: ActionArgs) {
  const reference = encodeURIComponent(params["reference"] ?? "");
  const { intent: outcome } = readForm(await request.formData(), { intent: "text" });
  await api.post(`/api/v1/payments/${reference}/test`, { payment: { outcome } });
  return seeOther(`/profile/wallet?payment=${reference}`);
}
