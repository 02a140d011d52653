import { Refusal } from "#src/base/refusal.ts";
import type { Env } from "#src/settings/env.ts";
import type { Provider } from "./provider.ts";
import { createStripeProvider } from "./stripe-provider.ts";
import { createTestProvider } from "./test-provider.ts";

/** Payments have to be configured first, so an early retry is useless. */
const RETRY_AFTER_S = 3_600;

const providers = new WeakMap<Env, Provider>();

/**
 * The provider that the settings name, created once. Without a Stripe key, production has no provider at all: the test
 * provider would give out money for a click.
 * @throws Refusal 503 where no provider is configured.
 */
export function providerOf(env: Env): Provider {
  const provider = providers.get(env) ?? createProvider(env);
  providers.set(env, provider);
  return provider;
}

function createProvider({ payments, publicUrl }: Env): Provider {
  if (payments.provider === "stripe") return createStripeProvider(publicUrl, payments);
  if (payments.provider === "test") return createTestProvider(publicUrl, payments);
  throw new Refusal(503, "payments_unavailable", "Payments are not set up.", {
    retryAfterSeconds: RETRY_AFTER_S,
  });
}
