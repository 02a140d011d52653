import type { PaymentNotice } from "#db/ledger/apply-payment.ts";

export type Checkout = { reference: string; amountCents: number; email: string | null };

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
  readWebhook: (body: string, headers: Headers) => Promise<Omit<PaymentNotice, "provider" | "sha256"> | null>;
};
