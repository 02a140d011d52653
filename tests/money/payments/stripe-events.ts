import Stripe from "stripe";
import type { PaymentView } from "#src/money/payments/schemas.ts";
import type { Server } from "#tests/support/server.ts";
import { STRIPE_KEY } from "./stripe-server.ts";
import { post } from "./webhook.ts";

/** The newer of the two webhook secrets of the tests' settings. */
export const STRIPE_SECRET = "whsec_new_secret_of_tests";
const signer = new Stripe(STRIPE_KEY);

/** Sends an event with Stripe's signature. Returns the status. */
export async function sayStripe(
  server: Server,
  {
    type,
    object,
    id = `evt_${crypto.randomUUID()}`,
  }: { type: string; object: object; id?: string | undefined },
  secret = STRIPE_SECRET,
): Promise<number> {
  const payload = JSON.stringify({ id, object: "event", type, data: { object } });
  const signature = await signer.webhooks.generateTestHeaderStringAsync({ payload, secret });
  return post(server, payload, { "stripe-signature": signature });
}

/** A checkout session that was paid. */
export const sessionOf = ({ reference, amountCents }: PaymentView, changes: object = {}) => ({
  object: "checkout.session",
  client_reference_id: reference,
  amount_total: amountCents,
  currency: "usd",
  payment_status: "paid",
  payment_intent: `pi_${reference}`,
  ...changes,
});

/** The environment variables that point the app to a test server of Stripe. */
export function stripeVariables({ url }: { url: string }): Record<string, string> {
  return { STRIPE_SECRET_KEY: STRIPE_KEY, STRIPE_WEBHOOK_SECRET: STRIPE_SECRET, STRIPE_API_URL: url };
}
