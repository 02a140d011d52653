import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { sessions } from "#db/schema/sessions.ts";
import { webhooks } from "#db/schema/webhooks.ts";
import { destroySession } from "#src/show/sessions/create-session.ts";
import { updateSession } from "#src/show/sessions/update-session.ts";
import { deliverWebhook, resendDelivery } from "#src/webhooks/deliver-webhook.ts";
import { Relays } from "#tests/live/relay/relays.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { setRows } from "#tests/support/rows.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildDecider, buildWebhook, deliveriesOf, webhookRow } from "./build-webhook.ts";
import { Receiver } from "./receiver.ts";

// No worker runs here: what is written waits until a test sends it.
const { deps, build, db } = await testWorld();
const relays = await Relays.open(deps);
const admin = await build.admin();
const receiver = new Receiver();
afterFile(async () => {
  relays.listener.stop();
  await receiver.stop();
});
afterTest(async () => {
  await relays.stop();
  await db.delete(webhooks);
  receiver.received.length = 0;
});

const { buildClosed, resolve } = await buildDecider(deps);

/** All that the relay broadcasts about a show: its settings, a question of it, and that it is deleted. */
async function runThrough(web: ReturnType<Relays["start"]>, settings: object) {
  const show = await build.runningSession({ name: "Layoffs quiz", settings });
  const event = await build.event("closed", { sessionId: show.id });
  await resolve(web, event.id);
  const changes = { name: "Layoffs quiz 2" };
  await updateSession(web, { sessionId: show.id, actor: admin, changes, ifVersion: null });
  const planned = await build.session({ settings });
  await destroySession(web, { sessionId: planned.id, actor: admin });
}

test("a private session is told only to the webhooks that name it, and one that names sessions gets no other", async () => {
  const web = relays.start();
  const named = await build.runningSession({ settings: { private: true } });
  const event = await build.event("closed", { sessionId: named.id });
  await relays.sendAndClear(web);
  const all = await buildWebhook(deps, receiver.url, "All");
  const one = await buildWebhook(deps, receiver.url, "One", [named.slug, String(named.id)]);
  await runThrough(web, { private: true });
  await relays.allSent();
  expect([await deliveriesOf(deps, all.id), await deliveriesOf(deps, one.id)]).toEqual([[], []]);
  await resolve(web, event.id);
  await relays.allSent();
  expect(await deliveriesOf(deps, all.id)).toEqual([]);
  expect((await deliveriesOf(deps, one.id)).map(({ type }) => type)).toEqual(["Event/resolve"]);
  await runThrough(web, {});
  await relays.allSent();
  const told = (await deliveriesOf(deps, all.id)).map(({ type }) => type);
  expect(told).toEqual(expect.arrayContaining(["Event/resolve", "Session/update", "Session/destroy"]));
  expect(await deliveriesOf(deps, one.id)).toHaveLength(1);
});

test("what waits is not sent after its session has become private, nor by hand, and does not count against its receiver", async () => {
  const { session, event } = await buildClosed();
  await relays.sendAndClear(relays.start());
  const [all, one] = [
    await buildWebhook(deps, receiver.url, "All"),
    await buildWebhook(deps, receiver.url, "One", [session.slug]),
  ];
  await resolve(deps, event.id);
  await relays.allSent();
  await setRows(db, sessions, eq(sessions.id, session.id), { settings: { private: true } });
  const [ofAll, ofOne] = [await deliveriesOf(deps, all.id), await deliveriesOf(deps, one.id)];
  expect([ofAll.length, ofOne.length]).toEqual([1, 1]);
  for (const { id } of [...ofAll, ...ofOne]) await deliverWebhook(deps, id);
  await resendDelivery(deps, ofAll[0]?.id ?? 0);
  await deliverWebhook(deps, ofAll[0]?.id ?? 0);
  expect(receiver.received.map(({ id }) => id)).toEqual([String(ofOne[0]?.id)]);
  expect(await deliveriesOf(deps, all.id)).toMatchObject([
    { attempts: 0, deliveredAt: null, error: "This webhook is not told about this." },
  ]);
  expect((await webhookRow(deps, all.id)).failingSince).toBeNull();
});
