import type Stripe from "stripe";
import type { PaymentOutcome, WebhookMessage, ChargebackUpdate } from "./provider.ts";

/** Stripe's largest page. No payment has more refunds. */
const REFUNDS_MAX = 100;

/**
 * Reads a Stripe event as a message about a payment; null for other events. An event about a refund only says that something
 * changed, so all refunds of the payment are fetched: events come in any order, and their content may be outdated.
 */
export async function messageOf(stripe: Stripe, event: Stripe.Event): Promise<WebhookMessage | null> {
  if (event.type === "checkout.session.completed") {
    // With delayed payment methods the money comes later, with async_payment_succeeded.
    const paid = event.data.object.payment_status !== "unpaid";
    return paid ? ofSession(event.id, event.data.object, "succeeded") : null;
  }
  if (event.type === "checkout.session.async_payment_succeeded") {
    return ofSession(event.id, event.data.object, "succeeded");
  }
  if (event.type === "checkout.session.async_payment_failed" || event.type === "checkout.session.expired") {
    return ofSession(event.id, event.data.object, "failed");
  }
  if (event.type === "charge.dispute.funds_withdrawn" || event.type === "charge.dispute.funds_reinstated") {
    const chargeback = disputeOf(event.data.object, event.type);
    return ofIntent(stripe, event, () => Promise.resolve([chargeback]));
  }
  return isAboutRefund(event) ? ofIntent(stripe, event, (intent) => refundsOf(stripe, intent)) : null;
}

type RefundEvent = Extract<Stripe.Event, { data: { object: Stripe.Refund } }> | Stripe.ChargeRefundedEvent;

function isAboutRefund(event: Stripe.Event): event is RefundEvent {
  return [
    "charge.refunded",
    "charge.refund.updated",
    "refund.created",
    "refund.updated",
    "refund.failed",
  ].includes(event.type);
}

/** A Stripe refund as a chargeback. It counts as taken as soon as it exists, and as returned if it fails. */
export function chargebackOf({ id, amount, currency, status, metadata }: Stripe.Refund): ChargebackUpdate {
  const chargebackId = Number(metadata?.["chargeback"]);
  return {
    chargebackRef: id,
    chargebackId: Number.isSafeInteger(chargebackId) && chargebackId > 0 ? chargebackId : null,
    cause: "refund",
    state: status === "failed" || status === "canceled" ? "returned" : "taken",
    amountCents: amount,
    currency: currency.toUpperCase(),
  };
}

async function refundsOf(stripe: Stripe, intent: string): Promise<ChargebackUpdate[]> {
  const { data } = await stripe.refunds.list({ payment_intent: intent, limit: REFUNDS_MAX });
  // Returned refunds come first, because they free the amount for the others.
  return data
    .map(chargebackOf)
    .toSorted((a, b) => Number(b.state === "returned") - Number(a.state === "returned"));
}

function disputeOf(
  { id, amount, currency }: Stripe.Dispute,
  type: "charge.dispute.funds_withdrawn" | "charge.dispute.funds_reinstated",
): ChargebackUpdate {
  return {
    chargebackRef: id,
    chargebackId: null,
    cause: "dispute",
    state: type === "charge.dispute.funds_withdrawn" ? "taken" : "returned",
    amountCents: amount,
    currency: currency.toUpperCase(),
  };
}

type AboutIntent = { id: string; data: { object: { payment_intent: string | Stripe.PaymentIntent | null } } };

/** Finds the payment's reference in the metadata of its intent: a refund or dispute made at Stripe itself has none. */
async function ofIntent(
  stripe: Stripe,
  { id: messageId, data }: AboutIntent,
  read: (intent: string) => Promise<ChargebackUpdate[]>,
): Promise<WebhookMessage | null> {
  const { payment_intent: paymentIntent } = data.object;
  if (paymentIntent === null) return null;
  const intent = typeof paymentIntent === "string" ? paymentIntent : paymentIntent.id;
  const { reference } = (await stripe.paymentIntents.retrieve(intent)).metadata;
  return reference === undefined
    ? null
    : { messageId, reference, outcome: null, chargebacks: await read(intent) };
}

function ofSession(
  messageId: string,
  session: Stripe.Checkout.Session,
  type: PaymentOutcome["type"],
): WebhookMessage | null {
  const {
    client_reference_id: reference,
    amount_total: amountCents,
    currency,
    payment_intent: paymentIntent,
  } = session;
  if (reference === null || amountCents === null || currency === null) return null;
  const providerRef = typeof paymentIntent === "object" ? (paymentIntent?.id ?? null) : paymentIntent;
  const outcome = { type, amountCents, currency: currency.toUpperCase(), providerRef };
  return { messageId, reference, outcome, chargebacks: [] };
}
