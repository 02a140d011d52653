import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { webhooks } from "#db/schema/webhooks.ts";
import { deliverWebhook } from "#src/webhooks/deliver-webhook.ts";
import { changeWebhook, rotateSecret } from "#src/webhooks/manage-webhooks.ts";
import { secretOf } from "#src/webhooks/sign-body.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { only } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildDelivery, buildWebhook } from "./build-webhook.ts";
import { type ReceivedMessage, Receiver } from "./receiver.ts";

const { deps, set } = await testWorld();
const receiver = new Receiver();
afterFile(() => receiver.stop());
afterTest(() => {
  receiver.received.length = 0;
});

async function receive(webhookId: number): Promise<ReceivedMessage> {
  receiver.received.length = 0;
  await deliverWebhook(deps, await buildDelivery(deps, webhookId));
  return only(receiver.received);
}

/** As our own header is checked. */
function isOurs(secret: string, { signature, body }: ReceivedMessage): boolean {
  const [time = "", ...signatures] = signature.split(",");
  const hex = createHmac("sha256", secret)
    .update(`${time.slice(2)}.${body}`)
    .digest("hex");
  return signatures.includes(`v1=${hex}`);
}

test.each(["json", "discord"] as const)(
  "a receiver checks a message in the format %s by the library of Standard Webhooks and by our own header, with one secret",
  async (format) => {
    const { id, secret } = await buildWebhook(deps, receiver.url);
    await changeWebhook(deps, { id, actor: null, now: new Date(), changes: { format } });
    const message = await receive(id);
    const { body, standard } = message;
    expect(new Webhook(secret).verify(body, standard)).toEqual(JSON.parse(body));
    expect(isOurs(secret, message)).toBe(true);
    expect(standard["webhook-id"]).toBe(message.id);
    const wrong: [string, ReceivedMessage["standard"]][] = [
      [`${body} `, standard],
      [body, { ...standard, "webhook-id": "1234567" }],
      [body, { ...standard, "webhook-timestamp": String(Number(standard["webhook-timestamp"]) - 1) }],
      [body, { ...standard, "webhook-timestamp": "1764000000" }],
    ];
    for (const [text, headers] of wrong) expect(() => new Webhook(secret).verify(text, headers)).toThrow();
  },
);

test("after a rotation the library accepts a message by the old secret and by the new one", async () => {
  const { id, secret: old } = await buildWebhook(deps, receiver.url);
  const { secret } = await rotateSecret(deps, { id, actor: null, now: new Date() });
  const { body, standard } = await receive(id);
  for (const each of [old, secret]) expect(new Webhook(each).verify(body, standard)).toBeTruthy();
  const other = await buildWebhook(deps, receiver.url);
  expect(() => new Webhook(other.secret).verify(body, standard)).toThrow();
});

test("a secret of a release before stays the text that its receiver has, and signs both headers", async () => {
  const { id } = await buildWebhook(deps, receiver.url);
  const secretSalt = "q".repeat(32);
  await set(webhooks, id, { secretSalt });
  const secret = secretOf(deps.env, secretSalt);
  expect(secret).toMatch(/^whsec_[\w-]{43}$/);
  const message = await receive(id);
  expect(isOurs(secret, message)).toBe(true);
  const key = Buffer.from(secret.slice("whsec_".length), "base64url").toString("base64");
  expect(new Webhook(key).verify(message.body, message.standard)).toBeTruthy();
});
