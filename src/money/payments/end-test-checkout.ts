import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import type { PaymentRow } from "./create-payment.ts";
import { receiveWebhook } from "./receive-webhook.ts";
import { SIGNATURE_HEADER, signWebhook } from "./signature.ts";
import type { TestWebhook } from "./test-provider.ts";

/**
 * Ends a checkout of the test provider with the outcome that the player chose, by receiving a signed message like a real
 * provider's.
 * @throws Refusal 404 where another provider is configured or took the payment.
 */
export async function endTestCheckout(
  deps: Deps,
  { payment, outcome }: { payment: PaymentRow; outcome: "succeeded" | "failed" },
): Promise<void> {
  const { payments } = deps.env;
  const [secret] = payments.provider === "test" ? payments.webhookSecrets : [];
  if (secret === undefined || payment.provider !== "test") throw notFound();
  const { reference, amountCents, currency } = payment;
  const message: TestWebhook = {
    id: `evt_${crypto.randomUUID()}`,
    type: `payment.${outcome}`,
    data: { reference, amount_cents: amountCents, currency },
  };
  const body = JSON.stringify(message);
  await receiveWebhook(
    deps,
    body,
    new Headers({ [SIGNATURE_HEADER]: signWebhook(body, secret, serverNow()) }),
  );
}
