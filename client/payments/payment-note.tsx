import { Link } from "react-router";
import type { PaymentState } from "#db/lists/payments.ts";
import { entriesOf } from "#src/base/contract.ts";
import type { PaymentView } from "#src/money/payments/schemas.ts";
import { formatMoney } from "../base/format/money.ts";
import { Note } from "../ui/note.tsx";
import * as texts from "./payments-texts.ts";

const toneOf = entriesOf<PaymentState, "plain" | "ok" | "bad">(
  { pending: "plain", succeeded: "ok", failed: "bad", refunded: "plain" },
  "plain",
);

const sentenceOf = entriesOf<PaymentState, (amount: string) => string>(
  {
    pending: (amount) => texts.paymentPending(amount),
    succeeded: (amount) => texts.paymentSucceeded(amount),
    failed: (amount) => texts.paymentFailed(amount),
    refunded: (amount) => texts.paymentTakenBack(amount),
  },
  (amount) => amount,
);

/** A payment's state in a sentence. */
export function PaymentNote({ payment }: { payment: PaymentView }) {
  const { state, amountCents, refundedCents, chargebacks } = payment;
  const partly = state === "succeeded" && refundedCents > 0;
  return (
    <Note tone={partly ? "plain" : toneOf(state)}>
      {partly ? texts.partTakenBack(refundedCents, amountCents) : sentenceOf(state)(formatMoney(amountCents))}{" "}
      {chargebacks.length === 0 ? null : <Link to="/profile/wallet/payments">{texts.seeYourPayments}</Link>}
    </Note>
  );
}
