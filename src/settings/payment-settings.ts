import { deriveKey } from "./derive-key.ts";
import { type ReadSettings, SettingsError } from "./settings.ts";

/** How payments are taken: by Stripe, by the test provider, or not at all. The first secret signs, all of them are believed. */
export type PaymentSettings =
  | { provider: "stripe"; secretKey: string; webhookSecrets: string[]; apiUrl: string | null }
  | { provider: "test"; webhookSecrets: string[] }
  | { provider: "none" };

/** Play money that anybody can pay in by a click is for tests: in production there is Stripe or nothing. */
export function choosePayments(
  read: ReadSettings,
  { production, secretKey }: { production: boolean; secretKey: string },
): PaymentSettings {
  if (read.STRIPE_SECRET_KEY === undefined) {
    if (production) return { provider: "none" };
    const webhookSecrets = read.PAYMENTS_WEBHOOK_SECRET ?? [deriveKey(secretKey, "payment webhooks")];
    return { provider: "test", webhookSecrets };
  }
  if (read.STRIPE_WEBHOOK_SECRET === undefined) {
    throw new SettingsError("STRIPE_WEBHOOK_SECRET is not set. Take it from the webhook's page at Stripe.");
  }
  return {
    provider: "stripe",
    secretKey: read.STRIPE_SECRET_KEY,
    webhookSecrets: read.STRIPE_WEBHOOK_SECRET,
    apiUrl: read.STRIPE_API_URL ?? null,
  };
}
