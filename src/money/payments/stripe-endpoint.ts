import type Stripe from "stripe";
import { WEBHOOKS_PATH } from "./contract.ts";
import { NotHeard } from "./provider.ts";

/** Where Stripe says to which endpoints it sends its messages. A key need not have the right to read it. */
export const ENDPOINTS_PATH = "/v1/webhook_endpoints";
/** Stripe's largest page. No account has more. */
const ENDPOINTS_MAX = 100;

/** The events that the product reads, as deploy/settings.md lists them. */
const events = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.refunded",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
];

/** Why Stripe's messages cannot arrive, by what it says itself; null: they can, or players do not come by https yet. */
export async function endpointTrouble(stripe: Stripe, publicUrl: string): Promise<NotHeard | null> {
  if (!publicUrl.startsWith("https:")) return null;
  const { data } = await stripe.webhookEndpoints.list({ limit: ENDPOINTS_MAX }, { maxNetworkRetries: 0 });
  const own = data.filter(({ url }) => url === `${publicUrl}${WEBHOOKS_PATH}`);
  if (own.length === 0) return new NotHeard("Stripe has no endpoint with this address.");
  const sent = own.flatMap(({ status, enabled_events: sends }) => (status === "enabled" ? sends : []));
  if (sent.length === 0) return new NotHeard("The endpoint at Stripe is disabled.");
  const lacking = sent.includes("*") ? [] : events.filter((event) => !sent.includes(event));
  return lacking.length === 0
    ? null
    : new NotHeard(`The endpoint at Stripe does not send ${lacking.join(", ")}.`);
}
