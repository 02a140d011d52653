import Stripe from "stripe";
import { Semaphore } from "#db/pool/semaphore.ts";
import { Refusal } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { keepTrying, type ServiceWatch, watchService } from "#src/base/service-watch.ts";
import { type OutsideAnswer, requestOutside } from "#src/http/outside/request-outside.ts";
import {
  type ChargebackUpdate,
  type Checkout,
  NotHeard,
  type Provider,
  type RefundOrder,
} from "./provider.ts";
import { chargebackOf, checkoutIn, markOf, messageOf, messageOfCheckout } from "./read-stripe-event.ts";
import { invalidSignature } from "./signature.ts";

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
/** What works is asked this often whether it still does, and what does not work this often. Stripe limits the requests of an account. */
const TRIED_EVERY_MS = { well: 60_000, wrong: 4_000 };

/** The fetch of Stripe's SDK, with one deadline for all of it and a bounded answer. */
function createFetch(watch: ServiceWatch): typeof fetch {
  const fetchOutside = async (...asked: Parameters<typeof fetch>) => {
    const request = new Request(...asked);
    const { url, method } = request;
    const headers = Object.fromEntries(request.headers);
    const body = await request.text();
    const how = { publicOnly: false, turns, timeoutMs: TIMEOUT_MS, wholeBytesMax: ANSWER_BYTES_MAX };
    const answer = await watch.observe(
      "ask",
      () => requestOutside({ url, method, headers, body }, how),
      refusalIn,
    );
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
    notHeard: (why) =>
      void watch.observe(HEAR, () => Promise.reject(new NotHeard(why))).catch(() => undefined),
    askAbout: async ({ checkoutUrl }) => {
      const id = checkoutIn(checkoutUrl);
      if (id === null) return null;
      try {
        return messageOfCheckout(publicUrl, await stripe.checkout.sessions.retrieve(id));
      } catch (error) {
        throw unreachable(error, "Stripe was asked about the payment and did not answer. It is asked again.");
      }
    },
    refund: (order) => refund(stripe, order),
    examine: async () => {
      await ask().catch((error: unknown) => {
        throw watch.trouble() ?? error;
      });
    },
    trouble: keepTrying(watch, () => void ask().catch(() => undefined), TRIED_EVERY_MS),
  };
}

async function beginCheckout(
  stripe: Stripe,
  publicUrl: string,
  { reference, amountCents, email }: Checkout,
): Promise<string> {
  const wallet = `${publicUrl}/profile/wallet`;
  const metadata = { reference, ...markOf(publicUrl) };
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
        metadata,
        payment_intent_data: { metadata },
        success_url: `${wallet}?payment=${reference}`,
        cancel_url: wallet,
      },
      { idempotencyKey: reference },
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
