import Stripe from "stripe";
import { Semaphore } from "#db/pool/semaphore.ts";
import { Refusal } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { keepTrying, type ServiceWatch, watchService } from "#src/base/service-watch.ts";
import { type OutsideAnswer, requestOutside } from "#src/http/outside/request-outside.ts";
import { site } from "#src/settings/contract.ts";
import {
  ASKED,
  type ChargebackUpdate,
  type Checkout,
  invalidSignature,
  NotHeard,
  type PaymentOutcome,
  type Provider,
  type RefundOrder,
  type WebhookMessage,
} from "./provider.ts";
import { ENDPOINTS_PATH, endpointTrouble } from "./stripe-endpoint.ts";

const HTTPS_PORT = 443;
const HTTP_PORT = 80;
/** For all of a request, and for its repetition. */
const TIMEOUT_MS = 7_000;
/** An answer has a few kilobytes; a list of refunds the most. */
const ANSWER_BYTES_MAX = 1_048_576;
/** Requests at a time. The others wait, within their deadline. */
const turns = new Semaphore(10);

/** What the watch calls the arrival of messages. */
const HEAR = "hear";
/** And what Stripe says of where it sends them. */
const SEND = "send";
/** What works is asked this often whether it still does, and what does not work this often. Stripe limits the requests of an account. */
const TRIED_EVERY_MS = { well: 60_000, wrong: 4_000 };

/** Stripe's largest page. No payment has more refunds. */
const REFUNDS_MAX = 100;
/** A checkout is open for so long at most. Stripe demands half an hour at least, so an order that is sent again late has its next turn. */
const CHECKOUT_S = 3_600;
const TURN_S = 1_500;

/** The fetch of Stripe's SDK, with one deadline for all of it and a bounded answer. */
function createFetch(watch: ServiceWatch): typeof fetch {
  const fetchOutside = async (...asked: Parameters<typeof fetch>) => {
    const request = new Request(...asked);
    const { url, method } = request;
    const headers = Object.fromEntries(request.headers);
    const body = await request.text();
    const how = { publicOnly: false, turns, timeoutMs: TIMEOUT_MS, wholeBytesMax: ANSWER_BYTES_MAX };
    const answer = await watch.observe("ask", () => requestOutside({ url, method, headers, body }, how), {
      judge: (answered) =>
        answered.status === 403 && url.includes(ENDPOINTS_PATH) ? null : refusalIn(answered),
    });
    const received = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" ? [[name, value]] : [],
    );
    return new Response(new Uint8Array(answer.body), { status: answer.status, headers: received });
  };
  return Object.assign(fetchOutside, { preconnect: fetch.preconnect });
}

/** What an answer says about the key and about Stripe itself; null: it is about the payment. */
function refusalIn({ status }: OutsideAnswer): Error | null {
  if (status === 401) return new Error("Stripe does not know the key (401). Correct STRIPE_SECRET_KEY.");
  if (status === 403)
    return new Error(
      "The key lacks a right (403). Give the key of STRIPE_SECRET_KEY the rights to write Checkout Sessions and Refunds, and to read " +
        "PaymentIntents.",
    );
  return status < 500 ? null : new Error(`Stripe answers ${status}. See https://status.stripe.com.`);
}

export type StripeSettings = { secretKey: string; webhookSecrets: readonly string[]; apiUrl: string | null };

/**
 * Takes payments with Stripe Checkout. The payment's reference is in the session's client_reference_id, and with the mark of this
 * installation in the metadata of the session and of its intent.
 */
export function createStripeProvider(publicUrl: string, settings: StripeSettings): Provider {
  const watch = watchService();
  const stripe = new Stripe(settings.secretKey, {
    ...apiServer(settings.apiUrl),
    httpClient: Stripe.createFetchHttpClient(createFetch(watch)),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
  });
  const ask = () => stripe.checkout.sessions.list({ limit: 1 }, { maxNetworkRetries: 0 });
  const tryEndpoint = async () => {
    const wrong = await endpointTrouble(stripe, publicUrl).catch(() => null);
    if (wrong !== null) throw wrong;
  };
  const checkMessages = () => watch.observe(SEND, tryEndpoint, { again: tryEndpoint }).catch(() => undefined);
  return {
    name: "stripe",
    beginCheckout: (checkout) => beginCheckout(stripe, publicUrl, checkout),
    readWebhook: async (body, headers) => {
      const signature = headers.get("stripe-signature") ?? "";
      const event = await verify(stripe, settings.webhookSecrets, { body, signature });
      if (watch.hasFailed(HEAR)) await watch.observe(HEAR, () => Promise.resolve());
      try {
        return await messageOf({ stripe, publicUrl }, event);
      } catch (error) {
        throw unreachable(error, "Stripe was asked about the event and did not answer. Send it again.");
      }
    },
    checkMessages,
    notHeard: (why, hasArrived) => {
      const again = async () => {
        if (!(await hasArrived().catch(() => false))) throw new NotHeard(why);
      };
      void watch.observe(HEAR, () => Promise.reject(new NotHeard(why)), { again }).catch(() => undefined);
    },
    askAbout: async ({ checkoutUrl }, { end }) => {
      const id = /\bcs_(?:test|live)_\w+/.exec(checkoutUrl)?.[0];
      if (id === undefined) return null;
      try {
        const found = end ? endCheckout(stripe, id) : stripe.checkout.sessions.retrieve(id);
        return messageOfCheckout(publicUrl, await found);
      } catch (error) {
        throw unreachable(error, "Stripe was asked about the payment and did not answer. It is asked again.");
      }
    },
    refund: (order) => refund(stripe, order),
    check: async () => {
      await ask().catch((error: unknown) => {
        throw watch.trouble() ?? error;
      });
      await checkMessages();
    },
    trouble: keepTrying(watch, () => void ask().catch(() => undefined), TRIED_EVERY_MS),
  };
}

async function beginCheckout(
  stripe: Stripe,
  publicUrl: string,
  { reference, amountCents, email, createdAt }: Checkout,
): Promise<string> {
  const wallet = `${publicUrl}/profile/wallet`;
  const metadata = { reference, ...markOf(publicUrl) };
  const beganS = Math.floor(createdAt.getTime() / 1_000);
  const turn = Math.max(0, Math.floor((serverNow().getTime() / 1_000 - beganS) / TURN_S));
  try {
    const session = await stripe.checkout.sessions.create(
      {
        mode: "payment",
        expires_at: beganS + turn * TURN_S + CHECKOUT_S,
        client_reference_id: reference,
        ...(email === null ? {} : { customer_email: email }),
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: "usd",
              unit_amount: amountCents,
              product_data: { name: `${site().name} wallet` },
            },
          },
        ],
        metadata,
        payment_intent_data: { metadata },
        success_url: `${wallet}?payment=${reference}`,
        cancel_url: wallet,
      },
      // Sent again in the same turn it is the same request. No player has the address of a checkout whose answer was lost.
      { idempotencyKey: turn === 0 ? reference : `${reference}-${turn}` },
    );
    if (session.url !== null) return session.url;
  } catch (error) {
    throw checkoutFailed(error);
  }
  throw checkoutFailed(new Error("Stripe returned a checkout without an address."));
}

function checkoutFailed(cause: unknown) {
  return unreachable(cause, "Nothing was charged. Try again in a moment.");
}

/** Ends a checkout. One that has ended before is as it is. */
async function endCheckout(stripe: Stripe, id: string): Promise<Stripe.Checkout.Session> {
  try {
    return await stripe.checkout.sessions.expire(id);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    return stripe.checkout.sessions.retrieve(id);
  }
}

async function refund(stripe: Stripe, order: RefundOrder): Promise<ChargebackUpdate | { refused: string }> {
  const { reference, providerRef, chargebackId, amountCents } = order;
  if (providerRef === null) return { refused: "Stripe's name of this payment is not known." };
  try {
    const created = await stripe.refunds.create(
      {
        payment_intent: providerRef,
        amount: amountCents,
        metadata: { reference, chargeback: String(chargebackId) },
      },
      { idempotencyKey: `refund-${reference}-${chargebackId}` },
    );
    return chargebackOf(created);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return { refused: error.message };
    throw unreachable(error, "Stripe did not answer. The refund is asked for again by itself.");
  }
}

async function verify(
  stripe: Stripe,
  secrets: readonly string[],
  { body, signature }: { body: string; signature: string },
): Promise<Stripe.Event> {
  for (const secret of secrets) {
    try {
      const receivedAt = serverNow().getTime();
      return await stripe.webhooks.constructEventAsync(
        body,
        signature,
        secret,
        undefined,
        undefined,
        receivedAt,
      );
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
    }
  }
  throw invalidSignature();
}

function apiServer(apiUrl: string | null) {
  if (apiUrl === null) return {};
  const { hostname: host, port, protocol } = new URL(apiUrl);
  if (protocol === "https:") return { host, port: port || HTTPS_PORT, protocol: "https" as const };
  return { host, port: port || HTTP_PORT, protocol: "http" as const };
}

const RETRY_AFTER_S = 30;

/** 503: the provider did not answer or failed. `detail` says what that means for the player or admin. */
function unreachable(cause: unknown, detail: string): Refusal {
  const refusal = new Refusal(503, "payments_unavailable", "Payments cannot be taken right now.", {
    detail,
    retryAfterSeconds: RETRY_AFTER_S,
  });
  refusal.cause = cause;
  return refusal;
}

/** An account of Stripe, and the address that marks this installation's payments there. */
type Shop = { stripe: Stripe; publicUrl: string };

/** The mark of this installation's payments: an account of Stripe may serve several shops. */
function markOf(publicUrl: string): Record<string, string> {
  return { called_it: publicUrl };
}

/**
 * Reads a Stripe event as a message about a payment; null for other events. An event about a refund only says that something
 * changed, so all refunds of the payment are fetched: events come in any order, and their content may be outdated.
 */
async function messageOf(shop: Shop, event: Stripe.Event): Promise<WebhookMessage | null> {
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
  return /^(charge\.)?refund/.test(event.type);
}

/** A Stripe refund as a chargeback. It counts as taken as soon as it exists, and as returned if it fails. */
function chargebackOf({ id, amount, currency, status, metadata }: Stripe.Refund): ChargebackUpdate {
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
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404) return null;
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

/** A checkout that was asked for, as the message that Stripe sends of its end; null if it has not ended. */
function messageOfCheckout(publicUrl: string, session: Stripe.Checkout.Session): WebhookMessage | null {
  const { id, status, payment_status: paymentStatus } = session;
  const type = status === "expired" ? "failed" : "succeeded";
  if (type === "succeeded" && (status !== "complete" || paymentStatus === "unpaid")) return null;
  return ofSession({ publicUrl }, { id: `${ASKED}${id}_${type}`, data: { object: session } }, type);
}

function isMarked(metadata: Stripe.Metadata | null | undefined, publicUrl: string): boolean {
  return Object.entries(markOf(publicUrl)).every(([key, value]) => metadata?.[key] === value);
}
