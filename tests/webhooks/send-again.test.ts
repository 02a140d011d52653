import { expect, test } from "bun:test";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { audit } from "#db/schema/audit.ts";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks.ts";
import { RESENT_MAX } from "#src/webhooks/contract.ts";
import { deliverWebhook, pingWebhook } from "#src/webhooks/deliver-webhook.ts";
import { changeWebhook } from "#src/webhooks/manage-webhooks.ts";
import { Relays } from "#tests/live/relay/relays.ts";
import { readerFor } from "#tests/pages/ssr/browser.ts";
import { parsePage, textsOf } from "#tests/pages/ssr/parse-page.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildDecider, buildDelivery, buildWebhook, deliveriesOf, webhookRow } from "./build-webhook.ts";
import { Receiver } from "./receiver.ts";

// No worker runs here: what is written waits until a test sends it.
const { deps, build, db, set, server } = await testWorld();
const reader = await readerFor(deps, server, await build.admin());
const receiver = new Receiver();
const relays = await Relays.open(deps);
afterFile(async () => {
  relays.listener.stop();
  await receiver.stop();
});
afterTest(async () => {
  await relays.stop();
  await db.delete(webhooks);
  receiver.received.length = 0;
});

const PATH = "/admin/webhooks";
const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
const fieldTime = (at: Date) => at.toISOString().slice(0, "2026-11-21T20:14:00".length);

/** A message that arrived so many hours ago. */
async function buildArrived(webhookId: number, hours: number, type = "Event/resolve"): Promise<number> {
  const id = await buildDelivery(deps, webhookId);
  const createdAt = hoursAgo(hours);
  const values = { createdAt, type, attempts: 1, dueAt: createdAt, deliveredAt: createdAt };
  await set(webhookDeliveries, id, values);
  return id;
}
async function resend(webhookId: number, deliveries: object, headers: Record<string, string> = {}) {
  const body = { deliveries };
  const answer = await reader.send("PUT", `/api/v1/webhooks/${webhookId}/resend`, { body, headers });
  return { status: answer.status, body: await answer.json() };
}
const open = async (webhookId: number) => {
  const isOpen = and(isNull(webhookDeliveries.deliveredAt), isNull(webhookDeliveries.failedAt));
  const rows = await db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), isOpen));
  return rows.map(({ id }) => id).toSorted((one, other) => one - other);
};

test("the messages of a time are sent again, each once and in their order, of one kind if it is named", async () => {
  const { id } = await buildWebhook(deps, receiver.url);
  const [before, first, paid, second, after] = [
    await buildArrived(id, 5),
    await buildArrived(id, 3),
    await buildArrived(id, 2, "Event/pay"),
    await buildArrived(id, 1),
    await buildArrived(id, 0),
  ];
  const other = await buildWebhook(deps, receiver.url);
  const ofOther = await buildArrived(other.id, 2);
  await deliverWebhook(deps, (await pingWebhook(deps, { id, now: new Date() })).id);
  await set(webhookDeliveries, eq(webhookDeliveries.type, "Webhook/ping"), {
    createdAt: hoursAgo(2),
  });
  receiver.received.length = 0;
  const range = { from: hoursAgo(4).toISOString(), to: hoursAgo(0.5).toISOString() };
  expect((await resend(id, { ...range, kind: "Event/resolve" })).body).toEqual({ deliveries: { resent: 2 } });
  expect(await open(id)).toEqual([first, second]);
  // What waits is left out, so nothing is sent twice.
  expect((await resend(id, range)).body).toEqual({ deliveries: { resent: 1 } });
  expect(await open(id)).toEqual([first, paid, second]);
  for (const each of [first, paid, second]) {
    await waitFor("its turn", async () => (await deliverWebhook(deps, each)) === null);
    await deliverWebhook(deps, each);
  }
  expect(receiver.received.map((message) => message.id)).toEqual([first, paid, second].map(String));
  expect(await open(other.id)).toEqual([]);
  const untouched = await db
    .select({ attempts: webhookDeliveries.attempts })
    .from(webhookDeliveries)
    .where(inArray(webhookDeliveries.id, [before, after, ofOther]));
  expect(untouched.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  const lines = await db.select().from(audit).where(eq(audit.action, "resend_webhook_deliveries"));
  expect(lines.map((line) => line.after)).toMatchObject([
    { kind: "Event/resolve", resent: 2 },
    { resent: 1 },
  ]);
});

test("a time that ends before it begins, and one with too many messages, is refused, and nothing changes", async () => {
  const { id } = await buildWebhook(deps, receiver.url);
  await buildArrived(id, 2);
  const back = { from: hoursAgo(1).toISOString(), to: hoursAgo(3).toISOString() };
  expect(await resend(id, back)).toMatchObject({
    status: 422,
    body: { errors: { to: ["must be after from"] } },
  });
  await db.execute(sql`
    INSERT INTO webhook_deliveries (webhook_id, fact_id, type, body, delivered_at)
    SELECT ${id}, 1000000 + n, 'Event/pay', '{}', game_now() FROM generate_series(1, ${RESENT_MAX}::int) n`);
  const range = { from: hoursAgo(3).toISOString(), to: hoursAgo(-1).toISOString() };
  const refused = await resend(id, range);
  expect([refused.status, await open(id)]).toEqual([422, []]);
  expect((await resend(id, { ...range, kind: "Event/nothing" })).status).toBe(422);
  expect((await resend(9_999_999, range)).status).toBe(404);
  expect(await open(id)).toEqual([]);
  expect((await resend(id, { ...range, kind: "Event/resolve" })).body).toEqual({ deliveries: { resent: 1 } });
});

test("without JavaScript an admin sends a time again and chooses kinds, and a refusal says why", async () => {
  const { id } = await buildWebhook(deps, receiver.url);
  const arrived = await buildArrived(id, 2);
  const again = (from: Date, to: Date, kind = "") =>
    reader.sendForm(PATH, {
      intent: "again",
      id: String(id),
      time_zone: "UTC",
      from: fieldTime(from),
      to: fieldTime(to),
      kind,
    });
  const refused = await again(hoursAgo(1), hoursAgo(3));
  expect([refused.status, await open(id)]).toEqual([422, []]);
  expect(refused.html).toContain("must be after from");
  expect((await again(hoursAgo(3), hoursAgo(1), "Event/pay")).location).toBe(
    `${PATH}?webhook=${id}&done=none`,
  );
  expect((await again(hoursAgo(3), hoursAgo(1))).location).toBe(`${PATH}?webhook=${id}&done=again`);
  expect(await open(id)).toEqual([arrived]);
  const change = { intent: "change", id: String(id), name: "Board", url: receiver.url, format: "json" };
  await reader.sendForm(PATH, { ...change, kinds: "Event/resolve" });
  expect((await webhookRow(deps, id)).kinds).toEqual(["Event/resolve"]);
  const page = parsePage((await reader.open(PATH)).html);
  expect(page.body.textContent).toContain("1 of 20 kinds of messages");
  expect(textsOf(page, ".token-row label:has(input[name=kinds][checked])")).toEqual([
    "A result is decided Event/resolve",
  ]);
  await reader.sendForm(PATH, change);
  expect((await webhookRow(deps, id)).kinds).toEqual([]);
});

test("a webhook is told only the kinds that it names, also of what waits, and tests come in any case", async () => {
  const { buildClosed, resolve } = await buildDecider(deps);
  const web = relays.start();
  const { session, event } = await buildClosed();
  await relays.sendAndClear(web);
  const [results, shows] = [
    await buildWebhook(deps, receiver.url, "Results", { kinds: ["Event/resolve"] }),
    await buildWebhook(deps, receiver.url, "Shows", { kinds: ["Session/stop", "Session/update"] }),
  ];
  await resolve(web, event.id);
  await relays.allSent();
  const told = async ({ id }: { id: number }) => (await deliveriesOf(deps, id)).map(({ type }) => type);
  expect([await told(results), await told(shows)]).toEqual([["Event/resolve"], []]);
  expect(session.id).toBeGreaterThan(0);
  const changes = { kinds: ["Session/stop" as const] };
  await changeWebhook(deps, { id: results.id, actor: null, now: new Date(), changes });
  for (const { id } of await deliveriesOf(deps, results.id)) await deliverWebhook(deps, id);
  expect(receiver.received).toEqual([]);
  expect(await deliveriesOf(deps, results.id)).toMatchObject([
    { error: "This webhook is not told about this." },
  ]);
  await deliverWebhook(deps, (await pingWebhook(deps, { id: results.id, now: new Date() })).id);
  expect(receiver.received.map(({ type }) => type)).toEqual(["Webhook/ping"]);
});
