import type { ChargebackNotice } from "#db/ledger/apply-chargeback.ts";
import type { PaymentNotice } from "#db/ledger/apply-payment.ts";

export type Checkout = { reference: string; amountCents: number; email: string | null };

/** How a payment ended. */
export type PaymentOutcome = Omit<PaymentNotice, "provider" | "reference">;
/** What is taken back of it, or returned. */
export type ChargebackUpdate = Omit<ChargebackNotice, "provider" | "reference">;

/** What a provider's message says of one payment of ours. */
export type WebhookMessage = {
  /** The provider's own name of it: one that comes again has the same. */
  messageId: string;
  reference: string;
  outcome: PaymentOutcome | null;
  chargebacks: readonly ChargebackUpdate[];
};

export type RefundOrder = {
  reference: string;
  /** What the provider calls the money. */
  providerRef: string | null;
  /** Ours: the same order sent again is the same refund. */
  chargebackId: number;
  amountCents: number;
};

/** Whoever takes the money. */
export type Provider = {
  name: "test" | "stripe";
  /**
   * Begins a checkout.
   * @returns the address where the player pays.
   * @throws Refusal 503 where the provider cannot be reached.
   */
  beginCheckout: (checkout: Checkout) => Promise<string>;
  /**
   * Reads a message that says to come from the provider.
   * @returns null for one that is not about a payment of ours.
   * @throws Refusal 400 where it was not signed by the provider in the last five minutes.
   */
  readWebhook: (body: string, headers: Headers) => Promise<WebhookMessage | null>;
  /**
   * Has (a part of) a payment paid back. Asking again with the same order pays once.
   * @returns what became of it, or why the provider will never do it.
   * @throws Refusal 503 where the provider cannot be reached: then nobody knows, and it is to be asked again.
   */
  refund: (order: RefundOrder) => Promise<ChargebackUpdate | { refused: string }>;
};
