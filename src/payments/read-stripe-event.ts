import type Stripe from "stripe";
import type { PaymentOutcome, WebhookMessage, ChargebackUpdate } from "./provider.ts";

/** Stripe lists no more at once; nobody refunds a payment more often. */
const REFUNDS_MAX = 100;

/**
 * What an event of Stripe's says of a payment of ours. Whatever it says of a refund, all refunds of the payment are read anew:
 * events come in any order, and what they carry may be older than what was heard before.
 */
export async function messageOf(stripe: Stripe, event: Stripe.Event): Promise<WebhookMessage | null> {
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
  if (event.type === "charge.dispute.funds_withdrawn" || event.type === "charge.dispute.funds_reinstated") {
    const taking = disputeOf(event.data.object, event.type);
    return ofIntent(stripe, event, () => Promise.resolve([taking]));
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

/** A refund of Stripe's. It counts from its beginning, while it is on its way to the player, and returns where it fails. */
export function chargebackOf({ id, amount, currency, status, metadata }: Stripe.Refund): ChargebackUpdate {
  const asked = Number(metadata?.["chargeback"]);
  return {
    chargebackRef: id,
    chargebackId: Number.isSafeInteger(asked) && asked > 0 ? asked : null,
    cause: "refund",
    state: status === "failed" || status === "canceled" ? "returned" : "taken",
    amountCents: amount,
    currency: currency.toUpperCase(),
  };
}

async function refundsOf(stripe: Stripe, intent: string): Promise<ChargebackUpdate[]> {
  const { data } = await stripe.refunds.list({ payment_intent: intent, limit: REFUNDS_MAX });
  // Those that returned make room for the others.
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

/** Our reference is in the payment's metadata; a refund or a dispute made at Stripe has none of its own. */
async function ofIntent(
  stripe: Stripe,
  { id: messageId, data }: AboutIntent,
  read: (intent: string) => Promise<ChargebackUpdate[]>,
): Promise<WebhookMessage | null> {
  const { payment_intent: named } = data.object;
  if (named === null) return null;
  const intent = typeof named === "string" ? named : named.id;
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
    payment_intent: named,
  } = session;
  if (reference === null || amountCents === null || currency === null) return null;
  const providerRef = typeof named === "object" ? (named?.id ?? null) : named;
  const ending = { type, amountCents, currency: currency.toUpperCase(), providerRef };
  return { messageId, reference, outcome: ending, chargebacks: [] };
}
