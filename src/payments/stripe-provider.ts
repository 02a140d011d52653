import Stripe from "stripe";
import type { PaymentNotice } from "#db/ledger/apply-payment.ts";
import { Refusal } from "#src/http/refusal.ts";
import { unsigned } from "./parse-webhook.ts";
import type { Checkout, Provider } from "./provider.ts";

const RETRY_AFTER_S = 30;
const HTTPS_PORT = 443;
const HTTP_PORT = 80;

export type StripeSettings = { secretKey: string; webhookSecrets: readonly string[]; apiUrl: string | null };
type Notice = Omit<PaymentNotice, "provider" | "sha256">;

/** Stripe's Checkout. Our reference travels as the session's client reference and in the payment's metadata. */
export function createStripeProvider(publicUrl: string, settings: StripeSettings): Provider {
  const stripe = new Stripe(settings.secretKey, { ...serverOf(settings.apiUrl), maxNetworkRetries: 2 });
  return {
    name: "stripe",
    beginCheckout: (checkout) => beginCheckout(stripe, publicUrl, checkout),
    readWebhook: async (body, headers) => {
      const event = await verify(stripe, settings.webhookSecrets, {
        body,
        signature: headers.get("stripe-signature") ?? "",
      });
      return noticeOf(stripe, event);
    },
  };
}

async function beginCheckout(
  stripe: Stripe,
  publicUrl: string,
  { reference, amountCents, email }: Checkout,
): Promise<string> {
  const wallet = `${publicUrl}/profile/wallet`;
  try {
    const session = await stripe.checkout.sessions.create(
      {
        mode: "payment",
        client_reference_id: reference,
        ...(email === null ? {} : { customer_email: email }),
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: "usd",
              unit_amount: amountCents,
              product_data: { name: "Called It wallet" },
            },
          },
        ],
        payment_intent_data: { metadata: { reference } },
        success_url: `${wallet}?payment=${reference}`,
        cancel_url: wallet,
      },
      { idempotencyKey: reference },
    );
    if (session.url !== null) return session.url;
  } catch (error) {
    throw unreachable(error);
  }
  throw unreachable(new Error("Stripe began a checkout without an address."));
}

function unreachable(cause: unknown): Refusal {
  const refusal = new Refusal(503, "payments_unavailable", "Payments cannot be taken right now.", {
    detail: "Nothing was charged. Try again in a moment.",
    retryAfterSeconds: RETRY_AFTER_S,
  });
  refusal.cause = cause;
  return refusal;
}

async function verify(
  stripe: Stripe,
  secrets: readonly string[],
  { body, signature }: { body: string; signature: string },
): Promise<Stripe.Event> {
  for (const secret of secrets) {
    try {
      return await stripe.webhooks.constructEventAsync(body, signature, secret);
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
    }
  }
  throw unsigned();
}

/** Sessions end in success or failure; a refund and a dispute that took the money both take the deposit back. */
async function noticeOf(stripe: Stripe, event: Stripe.Event): Promise<Notice | null> {
  if (event.type === "checkout.session.completed") {
    // Of slower ways to pay the money comes later.
    const paid = event.data.object.payment_status !== "unpaid";
    return paid ? ofSession(event.id, event.data.object, "succeeded") : null;
  }
  if (event.type === "checkout.session.async_payment_succeeded") {
    return ofSession(event.id, event.data.object, "succeeded");
  }
  if (event.type === "checkout.session.async_payment_failed" || event.type === "checkout.session.expired") {
    return ofSession(event.id, event.data.object, "failed");
  }
  if (event.type === "charge.refunded") {
    const { metadata, amount_refunded: amountCents, currency } = event.data.object;
    return refundOf(event.id, metadata, { amountCents, currency });
  }
  if (event.type !== "charge.dispute.funds_withdrawn") return null;
  const { payment_intent: intent, amount: amountCents, currency } = event.data.object;
  if (intent === null) return null;
  const { metadata } = await stripe.paymentIntents.retrieve(typeof intent === "string" ? intent : intent.id);
  return refundOf(event.id, metadata, { amountCents, currency });
}

function ofSession(
  messageId: string,
  { client_reference_id: reference, amount_total: amountCents, currency }: Stripe.Checkout.Session,
  type: "succeeded" | "failed",
): Notice | null {
  if (reference === null || amountCents === null || currency === null) return null;
  return { messageId, type, reference, amountCents, currency: currency.toUpperCase() };
}

function refundOf(
  messageId: string,
  { reference }: Stripe.Metadata,
  { amountCents, currency }: { amountCents: number; currency: string },
): Notice | null {
  if (reference === undefined) return null;
  return { messageId, type: "refunded", reference, amountCents, currency: currency.toUpperCase() };
}

function serverOf(apiUrl: string | null) {
  if (apiUrl === null) return {};
  const { hostname: host, port, protocol } = new URL(apiUrl);
  if (protocol === "https:") return { host, port: port || HTTPS_PORT, protocol: "https" as const };
  return { host, port: port || HTTP_PORT, protocol: "http" as const };
}
