import { Link } from "react-router";
import type { PaymentState } from "#db/lists/payments.ts";
import type { PaymentView } from "#src/payments/schemas.ts";
import { formatMoney } from "../ui/money.ts";
import { Note } from "../ui/note.tsx";

const tones = { pending: "plain", succeeded: "ok", failed: "bad", refunded: "plain" } as const;

const sentences: Record<PaymentState, (amount: string) => string> = {
  pending: (amount) =>
    `We wait for word of your payment of ${amount}. The wallet shows it as soon as it is here.`,
  succeeded: (amount) => `${amount} is in your wallet.`,
  failed: (amount) => `Your payment of ${amount} did not work, and nothing was charged. You can try again.`,
  refunded: (amount) => `Your payment of ${amount} was taken back.`,
};

/** A payment's state in a sentence. */
export function PaymentNote({ payment }: { payment: PaymentView }) {
  const { state, amountCents, refundedCents, chargebacks } = payment;
  const partly = state === "succeeded" && refundedCents > 0;
  return (
    <Note tone={partly ? "plain" : tones[state]}>
      {partly
        ? `${formatMoney(refundedCents)} of your payment of ${formatMoney(amountCents)} was taken back.`
        : sentences[state](formatMoney(amountCents))}{" "}
      {chargebacks.length === 0 ? null : <Link to="/profile/wallet/payments">See your payments</Link>}
    </Note>
  );
}
