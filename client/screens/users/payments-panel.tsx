import { PaymentList } from "#client/payments/payment-list.tsx";
import { RefundForm } from "#client/payments/refund-form.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import type { PaymentView } from "#src/money/payments/schemas.ts";
import type { UserRefusal } from "./act-on-user.ts";
import * as texts from "./users-texts.ts";

type PaymentsPanelProps = {
  payments: readonly PaymentView[];
  formKey: string;
  refusal: UserRefusal | undefined;
};

/** For admins: a user's payments, with a refund form each. */
export function PaymentsPanel({ payments, formKey, refusal }: PaymentsPanelProps) {
  return (
    <Panel title={texts.payments}>
      {refusal === undefined ? null : (
        <div className="body">
          <Note tone="bad">{refusal.refusal}</Note>
        </div>
      )}
      {payments.length === 0 ? (
        <p className="body ink2 small">{texts.noPaymentsYet}</p>
      ) : (
        <PaymentList
          payments={payments}
          actions={(payment) => (
            <RefundForm
              payment={payment}
              formKey={formKey}
              refusal={refusal?.reference === payment.reference ? refusal : undefined}
            />
          )}
        />
      )}
    </Panel>
  );
}
