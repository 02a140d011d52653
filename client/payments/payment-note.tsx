import { Link } from "react-router";
import type { PaymentState } from "#db/lists/payments.ts";
import { entriesOf } from "#src/base/contract.ts";
import type { PaymentView } from "#src/money/payments/schemas.ts";
import { formatMoney } from "../base/format/money.ts";
import { Note } from "../ui/note.tsx";

const toneOf = entriesOf<PaymentState, "plain" | "ok" | "bad">(
  { pending: "plain", succeeded: "ok", failed: "bad", refunded: "plain" },
  "plain",
);

const sentenceOf = entriesOf<PaymentState, (amount: string) => string>(
  {
    pending: (amount) =>
      `We wait for word of your payment of ${amount}. The wallet shows it as soon as it is here.`,
    succeeded: (amount) => `${amount} is in your wallet.`,
    failed: (amount) => `Your payment of ${amount} did not work, and nothing was charged. You can try again.`,
    refunded: (amount) => `Your payment of ${amount} was taken back.`,
  },
  (amount) => amount,
);

/** A payment's state in a sentence. */
export function PaymentNote({ payment }: { payment: PaymentView }) {
  const { state, amountCents, refundedCents, chargebacks } = payment;
  const partly = state === "succeeded" && refundedCents > 0;
  return (
    <Note tone={partly ? "plain" : toneOf(state)}>
      {partly
        ? `${formatMoney(refundedCents)} of your payment of ${formatMoney(amountCents)} was taken back.`
        : sentenceOf(state)(formatMoney(amountCents))}{" "}
      {chargebacks.length === 0 ? null : <Link to="/profile/wallet/payments">See your payments</Link>}
    </Note>
  );
}
