import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { Semaphore } from "#db/pool/semaphore.ts";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { sessions } from "#db/schema/sessions.ts";
import { workers } from "#jobs/workers.ts";
import { pushServices } from "#src/people/push/push-services.ts";
import { sendPush } from "#src/people/push/send-push.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { dripHeaders, floodBody, HostileServer } from "#tests/support/hostile-server.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { buildSubscriber } from "./build-subscriber.ts";
import { PushService } from "./push-service.ts";

// A player chooses the address of a push service. Here it is a server that keeps the worker busy for as long as it can.

const service = new PushService();
afterFile(() => service.stop());
const deps = await testDeps({ PUSH_SERVICE_URL: service.origin });
const { db } = deps.pool;
const session = await buildSession(deps);
await db
  .update(sessions)
  .set({ state: "running", startedAt: sql`game_now()` })
  .where(eq(sessions.id, session.id));

/** The same product, whose settings allow another push service. */
const allowing = (origin: string) => ({
  ...deps,
  env: { ...deps.env, push: { ...deps.env.push, serviceOrigin: origin } },
});

async function subscribeAt(origin: string): Promise<number> {
  const { id } = await buildSubscriber(deps, service);
  const endpoint = `${origin}/${id}`;
  await db.update(pushSubscriptions).set({ endpoint }).where(eq(pushSubscriptions.id, id));
  return id;
}

const orderTo = (subscriptionId: number) => ({ subscriptionId, about: "session" as const, id: session.id });

test("40 slow endpoints of one host have few places of the queue, and the message of another host arrives meanwhile", async () => {
  const slow = await HostileServer.start(dripHeaders);
  const subscribed = await Promise.all(Array.from({ length: 40 }, () => subscribeAt(slow.origin)));
  const { id, browser } = await buildSubscriber(deps, service);
  const ends: (number | null)[] = [];
  // The places of the queue, in the order in which the jobs were added.
  const places = new Semaphore(workers.sendPush.options.concurrency ?? 1);
  const slowDeps = allowing(slow.origin);
  const jobs = subscribed.map((subscriptionId) =>
    places.run(async () => ends.push(await sendPush(slowDeps, orderTo(subscriptionId)))),
  );
  const other = places.run(() => sendPush(deps, orderTo(id)));
  expect(await other).toBeNull();
  expect(service.deliveriesTo(browser)).toHaveLength(1);
  // The host is still busy with the first ones, and all the others know when they are tried again.
  await waitFor("the others", () => ends.length === 37);
  expect(slow.open).toBe(3);
  expect(ends.every((waitMs) => waitMs !== null && waitMs > 0 && waitMs <= 60_000)).toBe(true);

  await Promise.all(jobs);
  expect(slow.openMax).toBe(3);
  // What was tried and not answered is tried again, and nothing is still connected.
  expect(ends.slice(-3)).toEqual([4_000, 4_000, 4_000]);
  await waitFor("the connections to be closed", () => slow.open === 0);
  // All files of a process share what it knows: to others no service is away.
  expect(pushServices.took(slow.origin)).toBe(true);
  expect(pushServices.trouble()).toBeNull();
});

test("a push service that answers without end has the message, and nothing of its answer is kept", async () => {
  const endless = await HostileServer.start(floodBody);
  const id = await subscribeAt(endless.origin);
  expect(await sendPush(allowing(endless.origin), orderTo(id))).toBeNull();
  await waitFor("the connection to be closed", () => endless.open === 0);
  expect(endless.bytesWritten).toBeLessThan(32_000_000);
  const [row] = await db.select().from(pushSubscriptions).where(eq(pushSubscriptions.id, id));
  expect(row?.lastSuccessAt).not.toBeNull();
});
