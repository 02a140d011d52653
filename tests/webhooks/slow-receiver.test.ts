import { expect, test } from "bun:test";
import { Semaphore } from "#db/pool/semaphore.ts";
import { workers } from "#jobs/workers.ts";
import { deliverWebhook } from "#src/webhooks/deliver-webhook.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { dripHeaders, HostileServer } from "#tests/support/hostile-server.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { buildDelivery, buildWebhook, deliveriesOf, webhookRow } from "./build-webhook.ts";
import { Receiver } from "./receiver.ts";

const deps = await testDeps();
const receiver = new Receiver();
afterFile(() => receiver.stop());

test("80 messages to a slow receiver have few places of the queue, and those that wait for one have no attempt more", async () => {
  const slow = await HostileServer.start(dripHeaders);
  const slowHook = await buildWebhook(deps, `${slow.origin}/hook`, "Slow");
  const goodHook = await buildWebhook(deps, receiver.url, "Good");
  const slowIds: number[] = [];
  for (let number = 0; number < 80; number += 1) slowIds.push(await buildDelivery(deps, slowHook.id));
  const goodId = await buildDelivery(deps, goodHook.id);
  const ends: (number | null)[] = [];
  // The places of the queue, in the order in which the jobs were added.
  const places = new Semaphore(workers.deliverWebhook.options.concurrency ?? 1);
  const jobs = slowIds.map((id) => places.run(async () => ends.push(await deliverWebhook(deps, id))));
  expect(await places.run(() => deliverWebhook(deps, goodId))).toBeNull();
  expect(receiver.received).toHaveLength(1);
  await waitFor("the others", () => ends.length === 77);
  expect(slow.openMax).toBe(3);
  expect(ends.every((waitMs) => waitMs !== null && waitMs > 0 && waitMs <= 60_000)).toBe(true);
  const waiting = (await deliveriesOf(deps, slowHook.id)).filter(({ attempts }) => attempts === 0);
  expect(waiting).toHaveLength(77);
  expect(waiting.every(({ error, failedAt }) => error === null && failedAt === null)).toBe(true);

  slow.hangUp();
  await Promise.all(jobs);
  expect((await webhookRow(deps, slowHook.id)).failingSince).not.toBeNull();
  expect((await deliveriesOf(deps, goodHook.id)).map(({ status }) => status)).toEqual([204]);
});
