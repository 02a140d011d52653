import { expect, test } from "bun:test";
import { createStripeProvider } from "#src/money/payments/stripe-provider.ts";
import {
  dripHeaders,
  floodBody,
  floodHeaders,
  HostileServer,
  keepSilent,
  stopHalfWay,
} from "#tests/support/hostile-server.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { waitFor } from "#tests/support/wait-for.ts";

test("a Stripe that drips, is silent or answers without end is a 503 in time, and nothing stays connected", async () => {
  const behaviours = [keepSilent, dripHeaders, floodBody, floodHeaders, stopHalfWay];
  const servers = await Promise.all(behaviours.map((behave) => HostileServer.start(behave)));
  const asked = servers.map(async ({ origin }) => {
    const settings = { secretKey: "sk_test_local", webhookSecrets: ["whsec_x"], apiUrl: origin };
    const provider = createStripeProvider("https://called.example", settings);
    return refusalOf(
      provider.beginCheckout({ reference: "pay_1", amountCents: 500, email: null, createdAt: new Date() }),
    );
  });
  for (const refusal of await Promise.all(asked))
    expect(refusal).toMatchObject({ status: 503, code: "payments_unavailable" });
  await waitFor("the connections to be closed", () => servers.every(({ open }) => open === 0));
  for (const { bytesWritten } of servers) expect(bytesWritten).toBeLessThan(64_000_000);
});
