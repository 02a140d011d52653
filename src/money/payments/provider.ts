import { createHmac, timingSafeEqual } from "node:crypto";
import type { ChargebackNotice, PaymentNotice } from "#db/ledger/apply-payment.ts";
import { Refusal } from "#src/base/refusal.ts";
import type { Service } from "#src/base/service-watch.ts";

/** `createdAt`: of the payment. An open checkout counts against the player's limits, so it ends within an hour. */
export type Checkout = { reference: string; amountCents: number; email: string | null; createdAt: Date };

/** How a payment ended: paid or failed. */
export type PaymentOutcome = Omit<PaymentNotice, "provider" | "reference">;
/**
 * The state of a chargeback: money taken back from a payment, by a refund or a dispute. Both are the same to the wallet. It
 * is taken once, and returned once where the refund fails or the dispute is won, in whatever order the messages come.
 */
export type ChargebackUpdate = Omit<ChargebackNotice, "provider" | "reference">;

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

export type OpenCheckout = { reference: string; amountCents: number; checkoutUrl: string };

export type RefundOrder = {
  reference: string;
  providerRef: string | null;
  /** The refund's id in this database. The same order sent again is the same refund. */
  chargebackId: number;
  amountCents: number;
};

/** What the ids of messages begin with that did not come: their content was asked for. */
export const ASKED = "asked_";

/** The provider works, and its messages do not arrive, or are refused. */
export class NotHeard extends Error {
  override readonly name = "NotHeard";
}

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
  /** Notes for operators why messages do not arrive, until one does. @param hasArrived whether one has, in any process. */
  notHeard: (why: string, hasArrived: () => Promise<boolean>) => void;
  /** Asks where the provider sends its messages, and notes for operators what is wrong with that. It never rejects. */
  checkMessages: () => Promise<void>;
  /**
   * Asks how a payment has ended, for one whose message has not come.
   * @param how `end`: a checkout that is open ends, so that it cannot be paid any more.
   * @returns the message; null while the payment has not ended.
   * @throws Refusal 503 where the provider cannot be reached.
   */
  askAbout: (payment: OpenCheckout, how: { end: boolean }) => Promise<WebhookMessage | null>;
  /**
   * Refunds a payment, in full or in part. The same order sent again refunds once.
   * @returns the chargeback, or why the provider refused for good.
   * @throws Refusal 503 where the provider cannot be reached. The result is unknown then, and the order has to be sent again.
   */
  refund: (order: RefundOrder) => Promise<ChargebackUpdate | { refused: string }>;
};

export const SIGNATURE_HEADER = "x-payment-signature";
/** Older messages, and messages this far in the future, count as replayed. */
const AGE_MAX_S = 300;

/** Signs a message: `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`. */
export function signWebhook(body: string, secret: string, now: Date): string {
  const unix = Math.floor(now.getTime() / 1_000);
  return `t=${unix},v1=${hmacOf(`${unix}.${body}`, secret).toString("hex")}`;
}

/** True for a signature by one of the secrets that is at most five minutes old. */
export function isSignedBy(
  secrets: readonly string[],
  { body, signature, now }: { body: string; signature: string | null; now: Date },
): boolean {
  const [, unix = "", hex = ""] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature ?? "") ?? [];
  if (hex === "" || Math.abs(now.getTime() / 1_000 - Number(unix)) > AGE_MAX_S) return false;
  const claimed = Buffer.from(hex, "hex");
  return secrets.some((secret) => timingSafeEqual(hmacOf(`${unix}.${body}`, secret), claimed));
}

function hmacOf(text: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(text).digest();
}

export const INVALID_SIGNATURE = "invalid_signature";

/** 400: the message has no valid signature of the provider, or an old one. */
export function invalidSignature(): Refusal {
  return new Refusal(400, INVALID_SIGNATURE, "The signature is not valid.");
}
