import Stripe from "stripe";
import type { PaymentOutcome, WebhookMessage, ChargebackUpdate } from "./provider.ts";

/** Stripe's largest page. No payment has more refunds. */
const REFUNDS_MAX = 100;
const NOT_FOUND = 404;

/** An account of Stripe, and the address that marks this installation's payments there. */
type Shop = { stripe: Stripe; publicUrl: string };

/** The mark of this installation's payments: an account of Stripe may serve several shops. */
export function markOf(publicUrl: string): Record<string, string> {
  return { called_it: publicUrl };
}

/**
 * Reads a Stripe event as a message about a payment; null for other events. An event about a refund only says that something
 * changed, so all refunds of the payment are fetched: events come in any order, and their content may be outdated.
 */
export async function messageOf(shop: Shop, event: Stripe.Event): Promise<WebhookMessage | null> {
  if (event.type === "checkout.session.completed") {
    // With delayed payment methods the money comes later, with async_payment_succeeded.
    const paid = event.data.object.payment_status !== "unpaid";
    return paid ? ofSession(shop, event, "succeeded") : null;
  }
  if (event.type === "checkout.session.async_payment_succeeded") {
    return ofSession(shop, event, "succeeded");
  }
  if (event.type === "checkout.session.async_payment_failed" || event.type === "checkout.session.expired") {
    return ofSession(shop, event, "failed");
  }
  if (event.type === "charge.dispute.funds_withdrawn" || event.type === "charge.dispute.funds_reinstated") {
    const { data, type } = event;
    return ofIntent(shop, event, () => Promise.resolve([disputeOf(data.object, type)]));
  }
  return isAboutRefund(event) ? ofIntent(shop, event, (intent) => refundsOf(shop.stripe, intent)) : null;
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
  { stripe, publicUrl }: Shop,
  { id: messageId, data }: AboutIntent,
  read: (intent: string) => Promise<ChargebackUpdate[]>,
): Promise<WebhookMessage | null> {
  const { payment_intent: paymentIntent } = data.object;
  const intent = typeof paymentIntent === "string" ? paymentIntent : paymentIntent?.id;
  if (intent === undefined) return null;
  const metadata = await findMetadata(stripe, intent);
  const reference = metadata?.["reference"];
  return reference === undefined
    ? null
    : {
        messageId,
        reference,
        isMarked: isMarked(metadata, publicUrl),
        outcome: null,
        chargebacks: await read(intent),
      };
}

/** The metadata of a payment's intent; null for one that this account does not have, such as one of a connected account. */
async function findMetadata(stripe: Stripe, intent: string): Promise<Stripe.Metadata | null> {
  try {
    return (await stripe.paymentIntents.retrieve(intent)).metadata;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === NOT_FOUND)
      return null;
    throw error;
  }
}

function ofSession(
  { publicUrl }: Pick<Shop, "publicUrl">,
  { id: messageId, data: { object } }: { id: string; data: { object: Stripe.Checkout.Session } },
  type: PaymentOutcome["type"],
): WebhookMessage | null {
  const {
    client_reference_id: reference,
    amount_total: amountCents,
    currency,
    payment_intent: paymentIntent,
    metadata,
  } = object;
  // Events come in the form of the account's version of the interface, which may lack what the types promise.
  if (typeof reference !== "string" || typeof amountCents !== "number" || typeof currency !== "string")
    return null;
  const providerRef = typeof paymentIntent === "object" ? (paymentIntent?.id ?? null) : paymentIntent;
  const outcome = { type, amountCents, currency: currency.toUpperCase(), providerRef };
  return { messageId, reference, isMarked: isMarked(metadata, publicUrl), outcome, chargebacks: [] };
}

/** The id of a checkout, which Stripe's address of it contains; null if it does not. */
export function checkoutIn(url: string): string | null {
  return /\bcs_(?:test|live)_\w+/.exec(url)?.[0] ?? null;
}

/** A checkout that was asked for, as the message that Stripe sends of its end; null if it has not ended. */
export function messageOfCheckout(
  publicUrl: string,
  session: Stripe.Checkout.Session,
): WebhookMessage | null {
  const { id, status, payment_status: paymentStatus } = session;
  const type = status === "expired" ? "failed" : "succeeded";
  if (type === "succeeded" && (status !== "complete" || paymentStatus === "unpaid")) return null;
  return ofSession({ publicUrl }, { id: `asked_${id}_${type}`, data: { object: session } }, type);
}

function isMarked(metadata: Stripe.Metadata | null | undefined, publicUrl: string): boolean {
  return Object.entries(markOf(publicUrl)).every(([key, value]) => metadata?.[key] === value);
}
