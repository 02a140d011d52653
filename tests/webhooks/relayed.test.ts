import { expect, test } from "bun:test";
import { and, eq, isNull, sql } from "drizzle-orm";
import * as v from "valibot";
import { outbox } from "#db/schema/outbox.ts";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks.ts";
import { startWorker } from "#jobs/workers.ts";
import { guides } from "#src/api/programs.ts";
import { createQueues } from "#src/base/queues.ts";
import { connectRedis } from "#src/base/redis.ts";
import { sessionStream } from "#src/base/streams/broadcast.ts";
import { readMissedAfter } from "#src/base/streams/stream-offsets.ts";
import { createRelay } from "#src/live/relay/relay-outbox.ts";
import { sessionMessage } from "#src/live/relay/schemas.ts";
import { deliverDueWebhooks } from "#src/webhooks/deliver-webhook.ts";
import { Relays } from "#tests/live/relay/relays.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { runClock } from "#tests/support/database.ts";
import { setRows } from "#tests/support/rows.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildDecider, buildWebhook, deliveriesOf } from "./build-webhook.ts";
import { Receiver } from "./receiver.ts";

const { deps, build, db } = await testWorld();
const relays = await Relays.open(deps);
const receiver = new Receiver();
const workerConnection = connectRedis(deps.env.redisUrl, "worker");
const worker = startWorker("deliverWebhook", deps, workerConnection);
worker.on("error", () => undefined);
afterFile(async () => {
  await worker.close();
  workerConnection.disconnect();
  relays.listener.stop();
  await receiver.stop();
});
afterTest(async () => {
  await relays.stop();
  await db.delete(webhooks);
  receiver.received.length = 0;
});

const read = (body: string) =>
  v.parse(
    v.intersect([sessionMessage, v.object({ epoch: v.string(), offset: v.number() })]),
    JSON.parse(body),
  );

const { buildClosed, resolve } = await buildDecider(deps);

/** The time until a job is due passes: on the database's clock, and in the queue. */
async function passUntilDue(deliveryId: number, aheadMs: number): Promise<void> {
  await runClock(deps.pool, { aheadMs });
  await waitFor("the job to be promoted", async () => {
    const jobs = await deps.queues.byName.webhooks.getDelayed();
    const job = jobs.find(({ data }) => v.is(v.object({ deliveryId: v.literal(deliveryId) }), data));
    if (job === undefined) return false;
    await job.promote();
    return true;
  });
}

test("a receiver that fails twice gets a result the third time, once, with the JSON of the cable", async () => {
  const web = relays.start();
  const { session, event } = await buildClosed();
  await relays.sendAndClear(web);
  const { id: webhookId } = await buildWebhook(deps, receiver.url);
  receiver.answerNext(new Response("no", { status: 500 }), new Response("no", { status: 503 }));
  await resolve(web, event.id);
  const { id } = await waitFor("the first attempt to fail", async () => {
    const rows = await deliveriesOf(deps, webhookId);
    const first = rows.find(({ type }) => type === "Event/resolve");
    return first !== undefined && first.status === 500 && first;
  });
  await passUntilDue(id, 11_000);
  await waitFor("the second attempt to fail", async () =>
    (await deliveriesOf(deps, webhookId)).some((row) => row.id === id && row.status === 503),
  );
  await passUntilDue(id, 80_000);
  await waitFor("the third attempt to succeed", async () =>
    (await deliveriesOf(deps, webhookId)).some((row) => row.id === id && row.deliveredAt !== null),
  );
  const sent = receiver.received.filter((message) => message.id === String(id));
  expect(sent).toHaveLength(3);
  expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  const onCable = relays.listener.session(session.id).find(({ eventType }) => eventType === "resolve");
  const { epoch: _epoch, offset: _offset, ...message } = read(sent[0]?.body ?? "");
  expect(message).toMatchObject({ sourceType: "Event", eventType: "resolve" });
  expect(JSON.parse(JSON.stringify(onCable))).toMatchObject(JSON.parse(JSON.stringify(message)));
  await runClock(deps.pool);
});

test("each fact is one delivery to each webhook that is on, in the order of the stream", async () => {
  const web = relays.start();
  const { session, event } = await buildClosed();
  await relays.sendAndClear(web);
  const [one, two] = [
    await buildWebhook(deps, receiver.url, "One"),
    await buildWebhook(deps, receiver.url, "Two"),
  ];
  const off = await buildWebhook(deps, receiver.url, "Off");
  await db.update(webhooks).set({ disabledAt: new Date() }).where(eq(webhooks.id, off.id));
  await resolve(web, event.id);
  await relays.allSent();
  const bodies = async (webhookId: number) =>
    (await deliveriesOf(deps, webhookId)).map(({ type, body }) => ({ type, ...read(body) }));
  const [first, second] = [await bodies(one.id), await bodies(two.id)];
  expect(first.map(({ type }) => type)).toEqual(["Event/resolve"]);
  expect(second).toEqual(first);
  expect(await deliveriesOf(deps, off.id)).toEqual([]);
  const { messages } = await readMissedAfter(deps.redis, sessionStream(session.id), { after: null });
  const onCable = messages.map(({ text }) => text);
  for (const { body } of await deliveriesOf(deps, one.id)) expect(onCable).toContain(body);
});

test("a fact that is broadcast again, as after a crash, is still one delivery", async () => {
  const web = relays.start();
  const { event } = await buildClosed();
  await relays.sendAndClear(web);
  const { id } = await buildWebhook(deps, receiver.url);
  await resolve(web, event.id);
  await relays.allSent();
  await waitFor("the message", () => receiver.received.length === 1);
  const before = await deliveriesOf(deps, id);
  const ofEvent = sql`${outbox.payload} ->> 'eventId' = ${String(event.id)}`;
  await setRows(db, outbox, and(eq(outbox.kind, "event_changed"), ofEvent), { sentAt: null });
  web.notifyRelay();
  await relays.allSent();
  const after = await deliveriesOf(deps, id);
  expect(after.map(({ factId, body }) => [factId, body])).toEqual(
    expect.arrayContaining(before.map(({ factId, body }) => [factId, body])),
  );
  expect(new Set(after.map(({ factId }) => factId)).size).toBe(after.length);
  expect(after.filter(({ type }) => type === "Event/resolve")).toHaveLength(1);
});

test("drafts are told to no webhook", async () => {
  const web = relays.start();
  const session = await build.session();
  const draft = await build.draft({ sessionId: session.id });
  const { id } = await buildWebhook(deps, receiver.url);
  await db.insert(outbox).values({ kind: "event_changed", payload: { eventId: draft.id, change: "update" } });
  web.notifyRelay();
  await relays.allSent();
  expect(await deliveriesOf(deps, id)).toEqual([]);
});

test("while Redis refuses commands nothing is lost: what was resolved meanwhile comes later, once", async () => {
  const { event } = await buildClosed();
  await relays.sendAndClear(relays.start());
  await relays.stop();
  const { id: webhookId } = await buildWebhook(deps, receiver.url);
  // A relay whose Redis is away.
  const nowhere = connectRedis("redis://127.0.0.1:1", "commands");
  nowhere.on("error", () => undefined);
  const cutOff = createRelay({ ...deps, redis: nowhere });
  await resolve({ ...deps, notifyRelay: cutOff.notify }, event.id);
  cutOff.notify();
  await cutOff.stop();
  expect(await deliveriesOf(deps, webhookId)).toEqual([]);
  expect(await db.$count(outbox, isNull(outbox.sentAt))).toBeGreaterThan(0);
  nowhere.disconnect();

  // A relay whose queue is away: the message is written, and the sweep sends it.
  const broken = connectRedis("redis://127.0.0.1:1", "commands");
  broken.on("error", () => undefined);
  const brokenQueues = createQueues(broken);
  const half = createRelay({
    ...deps,
    queues: { ...deps.queues, deliverWebhook: brokenQueues.deliverWebhook },
  });
  half.notify();
  await relays.allSent();
  await half.stop();
  expect((await deliveriesOf(deps, webhookId)).map(({ type, attempts }) => [type, attempts])).toEqual([
    ["Event/resolve", 0],
  ]);
  await runClock(deps.pool, { aheadMs: 11_000 });
  await deliverDueWebhooks(deps);
  await deliverDueWebhooks(deps);
  await runClock(deps.pool);
  expect(receiver.received.map(({ type }) => type)).toEqual(["Event/resolve"]);
  broken.disconnect();
});

/** Runs the function of the reference's example, with each of these arguments. */
async function checkByExample(messages: readonly string[][]): Promise<unknown> {
  const example = guides.find(({ id }) => id === "receiving-webhooks")?.example ?? "";
  const run = `console.log(JSON.stringify(${JSON.stringify(messages)}.map((each) => isGenuine(...each))))`;
  const child = Bun.spawn([process.execPath, "run", "-"], {
    stdin: new Blob([`${example}\n${run}\n`]),
    stdout: "pipe",
  });
  return JSON.parse(await new Response(child.stdout).text());
}

test("the reference's example accepts a message of ours, and no other", async () => {
  const web = relays.start();
  const { event } = await buildClosed();
  await relays.sendAndClear(web);
  const { secret } = await buildWebhook(deps, receiver.url);
  await resolve(web, event.id);
  const { signature, body } = await waitFor("the message", () => receiver.received[0] ?? null);
  const genuine = await checkByExample([
    [secret, signature, body],
    [secret, signature, `${body} `],
    ["whsec_other", signature, body],
    [secret, signature.replace(/t=\d+/, "t=1"), body],
  ]);
  expect(genuine).toEqual([true, false, false, false]);
  expect(await db.$count(webhookDeliveries)).toBe(1);
});
