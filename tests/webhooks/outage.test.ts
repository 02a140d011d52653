import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks.ts";
import { startWorker } from "#jobs/workers.ts";
import { connectRedis } from "#src/base/redis.ts";
import { countWebhooks } from "#src/operate/operations/find-undelivered.ts";
import { sendWaiting } from "#src/operate/operations/send-waiting.ts";
import { RETRY_SECONDS } from "#src/webhooks/contract.ts";
import { deliverWebhook } from "#src/webhooks/deliver-webhook.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { only } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { buildDelivery, buildWebhook } from "./build-webhook.ts";
import { Receiver } from "./receiver.ts";

const deps = await testDeps();
const { db } = deps.pool;
const receiver = new Receiver();
afterFile(() => receiver.stop());
const rowOf = async (id: number) =>
  only(await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id)));
const fail = async (id: number) => {
  receiver.answerNext(new Response("out of order", { status: 503 }));
  expect(await deliverWebhook(deps, id)).toBeGreaterThan(0);
  await db
    .update(webhookDeliveries)
    .set({ dueAt: sql`game_now() + interval '6 hours'` })
    .where(eq(webhookDeliveries.id, id));
};
const arrived = async (id: number) => (await rowOf(id)).deliveredAt !== null;
async function withWorker(work: () => Promise<void>): Promise<void> {
  const connection = connectRedis(deps.env.redisUrl, "worker");
  const worker = startWorker("deliverWebhook", deps, connection);
  await work();
  await worker.close();
  connection.disconnect();
}

test("a message that was tried waits, and the first one that arrives sends the others of its webhook at once", async () => {
  const { id: webhookId } = await buildWebhook(deps, receiver.url);
  const waiting = [await buildDelivery(deps, webhookId), await buildDelivery(deps, webhookId)];
  for (const id of waiting) await fail(id);
  const { id: otherWebhook } = await buildWebhook(deps, receiver.url, "Other");
  const other = await buildDelivery(deps, otherWebhook);
  await fail(other);
  expect(await countWebhooks(db)).toMatchObject({ failing: 2, waiting: 3 });
  await withWorker(async () => {
    expect(await deliverWebhook(deps, await buildDelivery(deps, webhookId))).toBeNull();
    for (const id of waiting) await waitFor("the message", () => arrived(id));
  });
  expect(await rowOf(other)).toMatchObject({ deliveredAt: null, attempts: 1 });
  expect(await countWebhooks(db)).toMatchObject({ failing: 1, waiting: 1 });
  await withWorker(async () => {
    await sendWaiting(deps);
    await waitFor("the message that somebody has asked for", () => arrived(other));
  });
  expect(await countWebhooks(db)).toMatchObject({ failing: 0, waiting: 0 });
});

test("a message that its receiver refuses while it takes others keeps its own times", async () => {
  const { id: webhookId } = await buildWebhook(deps, receiver.url, "Refusing");
  const refused = await buildDelivery(deps, webhookId);
  const first = await buildDelivery(deps, webhookId);
  await deliverWebhook(deps, first);
  // The second in which it arrived is over.
  await db
    .update(webhookDeliveries)
    .set({ createdAt: sql`clock_timestamp() - interval '10 seconds'` })
    .where(eq(webhookDeliveries.id, refused));
  await db
    .update(webhookDeliveries)
    .set({ deliveredAt: sql`clock_timestamp() - interval '5 seconds'` })
    .where(eq(webhookDeliveries.id, first));
  await fail(refused);
  const { dueAt, attempts } = await rowOf(refused);
  await deliverWebhook(deps, await buildDelivery(deps, webhookId));
  expect(await rowOf(refused)).toMatchObject({ dueAt, attempts });
});

test("the first message in line asks after a twentieth of the outage, which is no attempt, and is given up after as long as others", async () => {
  const { id: webhookId } = await buildWebhook(deps, receiver.url, "First");
  const id = await buildDelivery(deps, webhookId);
  /** As if it had been written, and its receiver had failed, for so long. */
  const failsAfter = async (seconds: number) => {
    const before = sql`clock_timestamp() - make_interval(secs => ${seconds})`;
    await db
      .update(webhookDeliveries)
      .set({ createdAt: before, dueAt: before })
      .where(eq(webhookDeliveries.id, id));
    await db.update(webhooks).set({ failingSince: before }).where(eq(webhooks.id, webhookId));
    receiver.answerNext(new Response("out of order", { status: 500 }));
    return deliverWebhook(deps, id);
  };
  expect(await failsAfter(1)).toBe(4_000);
  expect(await failsAfter(300)).toBe(15_000);
  expect(await failsAfter(3_600)).toBe(60_000);
  expect(await rowOf(id)).toMatchObject({ attempts: 1, failedAt: null });
  expect(await failsAfter(RETRY_SECONDS)).toBeNull();
  expect((await rowOf(id)).failedAt).not.toBeNull();
});
