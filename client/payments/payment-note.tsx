import type { PaymentState, PaymentView } from "#src/payments/contract.ts";
import { formatMoney } from "../ui/money.ts";
import { Note } from "../ui/note.tsx";

const tones = { pending: "plain", succeeded: "ok", failed: "bad", refunded: "plain" } as const;

const sentences: Record<PaymentState, (amount: string) => string> = {
  pending: (amount) =>
    `We wait for word of your payment of ${amount}. The wallet shows it as soon as it is here.`,
  succeeded: (amount) => `${amount} is in your wallet.`,
  failed: (amount) => `Your payment of ${amount} did not work, and nothing was charged. You can try again.`,
  refunded: (amount) => `Your payment of ${amount} was refunded.`,
};

/** What became of a payment. */
export function PaymentNote({ payment: { state, amountCents } }: { payment: PaymentView }) {
  return <Note tone={tones[state]}>{sentences[state](formatMoney(amountCents))}</Note>;
}
