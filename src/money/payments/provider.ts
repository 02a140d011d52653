import type { ChargebackNotice } from "#db/ledger/apply-chargeback.ts";
import type { PaymentNotice } from "#db/ledger/apply-payment.ts";
import type { Service } from "#src/base/service-watch.ts";

export type Checkout = { reference: string; amountCents: number; email: string | null };

/** How a payment ended: paid or failed. */
export type PaymentOutcome = Omit<PaymentNotice, "provider" | "reference">;
/**
 * The state of a chargeback: money taken back from a payment, by a refund or a dispute. Both are the same to the wallet. It
 * is taken once, and returned once where the refund fails or the dispute is won, in whatever order the messages come.
 */
export type ChargebackUpdate = Omit<ChargebackNotice, "provider" | "reference">;

/** A provider's message about one payment. */
export type WebhookMessage = {
  /** The provider's id of the message. A repeated message has the same id. */
  messageId: string;
  reference: string;
  /**
   * True if the payment carries the mark of this installation. Others may take payments with the same account; and a payment that
   * an earlier release began has no mark.
   */
  isMarked: boolean;
  outcome: PaymentOutcome | null;
  chargebacks: readonly ChargebackUpdate[];
};

export type RefundOrder = {
  reference: string;
  /** The provider's own id of the payment. */
  providerRef: string | null;
  /** The refund's id in this database. The same order sent again is the same refund. */
  chargebackId: number;
  amountCents: number;
};

/** The provider works, and its messages do not arrive, or are refused. */
export class NotHeard extends Error {
  override readonly name = "NotHeard";
}

/** A service that takes payments. */
export type Provider = Service & {
  name: "test" | "stripe";
  /**
   * Starts a checkout.
   * @returns the address where the player pays.
   * @throws Refusal 503 where the provider cannot be reached.
   */
  beginCheckout: (checkout: Checkout) => Promise<string>;
  /**
   * Verifies and reads a message.
   * @returns null for a message that is not about a payment of this app.
   * @throws Refusal 400 unless the provider signed the message in the last five minutes.
   */
  readWebhook: (body: string, headers: Headers) => Promise<WebhookMessage | null>;
  /** Notes for operators why messages do not arrive, until one does. */
  notHeard: (why: string) => void;
  /**
   * Asks how a payment has ended, for one whose message has not come.
   * @returns the message; null while the payment has not ended.
   * @throws Refusal 503 where the provider cannot be reached.
   */
  askAbout: (payment: { checkoutUrl: string }) => Promise<WebhookMessage | null>;
  /**
   * Refunds a payment, in full or in part. The same order sent again refunds once.
   * @returns the chargeback, or why the provider refused for good.
   * @throws Refusal 503 where the provider cannot be reached. The result is unknown then, and the order has to be sent again.
   */
  refund: (order: RefundOrder) => Promise<ChargebackUpdate | { refused: string }>;
};
