import { expect, test } from "bun:test";
import { webhooks } from "#db/schema/webhooks.ts";
import { createServer } from "#src/server.ts";
import { deliverWebhook } from "#src/webhooks/deliver-webhook.ts";
import { readerFor } from "#tests/pages/ssr/browser.ts";
import { oneOf, parsePage, textsOf } from "#tests/pages/ssr/parse-page.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { only } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildDelivery, webhookRow } from "./build-webhook.ts";
import { Receiver } from "./receiver.ts";

const PATH = "/admin/webhooks";
const { deps, db, build } = await testWorld();
const reader = await readerFor(deps, createServer(deps), await build.admin());
const receiver = new Receiver();
afterFile(() => receiver.stop());

test("without JavaScript an admin adds a webhook, reads its secret once, reads what was sent, and sends it again", async () => {
  const refused = await reader.sendForm(PATH, { intent: "add", name: "Scoreboard", url: "nowhere" });
  expect(refused.status).toBe(422);
  expect(await db.select().from(webhooks)).toEqual([]);

  const added = await reader.sendForm(PATH, { intent: "add", name: "Scoreboard", url: receiver.url });
  expect(added.status).toBe(200);
  const secret = oneOf(parsePage(added.html), '[role="status"] input').getAttribute("value") ?? "";
  expect(secret.length).toBeGreaterThan(20);
  const { id } = only(await db.select().from(webhooks));
  expect((await reader.open(`${PATH}?webhook=${id}`)).html).not.toContain(secret);

  const delivery = await buildDelivery(deps, id);
  receiver.answerNext(new Response("out of order", { status: 500 }));
  await deliverWebhook(deps, delivery);
  const log = parsePage((await reader.open(`${PATH}?webhook=${id}`)).html);
  const row = () => oneOf(log, 'li:has(input[name="delivery_id"])').textContent;
  for (const part of [
    "Waiting",
    "Event/resolve",
    "1 attempt, ",
    "It answered 500.",
    "It said: out of order",
    "Send now",
  ])
    expect(row()).toContain(part);

  const resent = await reader.sendForm(PATH, {
    intent: "resend",
    id: String(id),
    delivery_id: String(delivery),
  });
  expect([resent.status, resent.location]).toEqual([303, `${PATH}?webhook=${id}&done=resent`]);
  await deliverWebhook(deps, delivery);
  expect(receiver.received.map((message) => message.id)).toEqual([String(delivery), String(delivery)]);
  const after = parsePage((await reader.open(resent.location ?? "")).html);
  expect(after.body.textContent).toContain("The message is on its way again.");
  expect(textsOf(after, 'li:has(input[name="delivery_id"]) .pill')).toEqual(["Arrived"]);
});

test("without JavaScript an admin names the sessions of a webhook; an unknown one is refused, and nothing changes", async () => {
  const show = await build.session({ settings: { private: true } });
  const { id } = only(await db.select().from(webhooks));
  const change = (sessions: string) =>
    reader.sendForm(PATH, {
      intent: "change",
      id: String(id),
      name: "Board",
      url: receiver.url,
      format: "json",
      sessions,
    });
  expect((await change(` ${show.slug}, `)).status).toBe(303);
  expect((await webhookRow(deps, id)).sessionIds).toEqual([show.id]);
  const page = parsePage((await reader.open(PATH)).html);
  expect(page.body.textContent).toContain(`Only ${show.name}`);
  expect(oneOf(page, `#webhook-${id}-sessions`).getAttribute("value")).toBe(show.slug);
  const before = await webhookRow(deps, id);
  const refused = await change(`${show.slug}, nowhere`);
  expect([refused.status, await webhookRow(deps, id)]).toEqual([422, before]);
  expect(refused.html).toContain("No session has the slug or id nowhere.");
  expect((await change("")).status).toBe(303);
  expect((await webhookRow(deps, id)).sessionIds).toEqual([]);
  expect((await reader.open(PATH)).html).toContain("All sessions that are not private");
});
