import { Refusal } from "#src/base/refusal.ts";
import type { Env } from "#src/settings/env.ts";
import type { Provider } from "./provider.ts";
import { createStripeProvider } from "./stripe-provider.ts";
import { createTestProvider } from "./test-provider.ts";

/** Somebody has to set them up first. */
const RETRY_AFTER_S = 3_600;

const providers = new WeakMap<Env, Provider>();

/**
 * The provider that the settings name, made once.
 * @throws Refusal 503 where there is none.
 */
export function providerOf(env: Env): Provider {
  const made = providers.get(env) ?? createProvider(env);
  providers.set(env, made);
  return made;
}

function createProvider({ payments, publicUrl }: Env): Provider {
  if (payments.provider === "stripe") return createStripeProvider(publicUrl, payments);
  if (payments.provider === "test") return createTestProvider(publicUrl, payments);
  throw new Refusal(503, "payments_unavailable", "Payments are not set up.", {
    retryAfterSeconds: RETRY_AFTER_S,
  });
}
