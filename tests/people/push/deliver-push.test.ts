import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { notifications } from "#db/schema/notifications.ts";
import { pushMessages, pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { sessions } from "#db/schema/sessions.ts";
import { deliverDuePushes, deliverOrder, deliverPush, writePushes } from "#src/people/push/deliver-push.ts";
import type { PushSubscriptionBody } from "#src/people/push/schemas.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { only } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildSubscriber as buildSubscriberOf } from "./build-subscriber.ts";
import { PushService } from "./push-service.ts";

const service = new PushService();
const { deps, db, build, set } = await testWorld({ PUSH_SERVICE_URL: service.origin });
afterFile(() => service.stop());

const buildSubscriber = (wanted: Partial<PushSubscriptionBody> = {}) =>
  buildSubscriberOf(deps, service, wanted);

type Push = Pick<typeof pushMessages.$inferInsert, "subscriptionId" | "about" | "aboutId">;
const write = async (push: Push) =>
  only(
    await db
      .insert(pushMessages)
      .values({ ...push, service: service.origin })
      .returning(),
  ).id;
const rowOf = async (id: number) => only(await db.select().from(pushMessages).where(eq(pushMessages.id, id)));
/** Sends it without a worker, as if its time had come. */
async function sendNow(id: number): Promise<number | null> {
  await set(pushMessages, id, { dueAt: sql`game_now()` });
  return deliverPush(deps, id);
}
async function sendLive({ id: subscriptionId }: { id: number }): Promise<number | null> {
  const { id: aboutId } = await runningQuietly();
  return sendNow(await write({ subscriptionId, about: "session", aboutId }));
}

/** A running session of which the worker tells nobody: its start has no fact any more. */
async function runningQuietly() {
  const session = await build.session();
  const startedAt = sql`game_now()`;
  return only(
    await db
      .update(sessions)
      .set({ state: "running", startedAt })
      .where(eq(sessions.id, session.id))
      .returning(),
  );
}

for (const status of [404, 410]) {
  test(`a subscription that the push service does not know any more is removed (${status})`, async () => {
    const subscriber = await buildSubscriber();
    const other = await buildSubscriber();
    service.answerNext(subscriber.browser, status);
    expect(await sendLive(subscriber)).toBeNull();
    expect(await subscriber.row()).toBeUndefined();
    expect(await other.row()).toBeDefined();
  });
}

test("a push service that is away or overloaded is asked again, when it says and until the message is too late", async () => {
  const subscriber = await buildSubscriber();
  const { id: sessionId } = await runningQuietly();
  const id = await write({ subscriptionId: subscriber.id, about: "session", aboutId: sessionId });
  service.answerNext(subscriber.browser, 503);
  service.answerNext(subscriber.browser, 429, { "retry-after": "40" });
  service.answerNext(subscriber.browser, 429, { "retry-after": "86400" });
  const inTwoMinutes = new Date(Date.now() + 120_000).toUTCString();
  service.answerNext(subscriber.browser, 503, { "retry-after": inTwoMinutes });
  expect(await sendNow(id)).toBe(4_000);
  expect(await rowOf(id)).toMatchObject({ failedAt: null, error: `${service.origin}: it answers 503` });
  expect(await sendNow(id)).toBe(40_000);
  expect(await sendNow(id)).toBe(300_000);
  // The date has whole seconds.
  expect(await sendNow(id)).toBeGreaterThan(60_000);
  expect(await subscriber.row()).toMatchObject({ failures: 0, lastSuccessAt: null });
  const startedAt = sql`game_now() - interval '11 minutes'`;
  await db.update(sessions).set({ startedAt }).where(eq(sessions.id, sessionId));
  expect(await sendNow(id)).toBeNull();
  expect(await rowOf(id)).toMatchObject({ sentAt: null, error: expect.stringMatching(/^It is too late/) });
  expect(service.deliveriesTo(subscriber.browser)).toEqual([]);
});

test("a message is written once for each browser, however often its job runs, and the sweep sends what no job has sent", async () => {
  const subscriber = await buildSubscriber();
  const { id } = await runningQuietly();
  for (let runs = 0; runs < 2; runs += 1) await writePushes(deps, { about: "session", id });
  const ofBrowser = eq(pushMessages.subscriptionId, subscriber.id);
  const row = only(await db.select().from(pushMessages).where(ofBrowser));
  expect(row).toMatchObject({ about: "session", aboutId: id, service: service.origin, sentAt: null });
  await deliverDuePushes(deps);
  expect(service.deliveriesTo(subscriber.browser)).toEqual([]);
  const dueAt = sql`game_now() - interval '11 seconds'`;
  await db.update(pushMessages).set({ dueAt }).where(ofBrowser);
  await deliverDuePushes(deps);
  expect(service.deliveriesTo(subscriber.browser)).toHaveLength(1);
  // A job of the release before, about the same and about something else.
  const order = { subscriptionId: subscriber.id, about: "session" as const };
  expect(await deliverOrder(deps, { ...order, id })).toBeNull();
  expect(await deliverOrder(deps, { ...order, id: (await runningQuietly()).id })).toBeNull();
  expect(service.deliveriesTo(subscriber.browser)).toHaveLength(2);
});

test("ten messages in a row that are refused for good remove a subscription, and a success starts the count again", async () => {
  const subscriber = await buildSubscriber();
  for (let times = 0; times < 9; times += 1) {
    service.answerNext(subscriber.browser, 403);
    expect(await sendLive(subscriber)).toBeNull();
  }
  expect(await subscriber.row()).toMatchObject({ failures: 9 });
  await sendLive(subscriber);
  expect(await subscriber.row()).toMatchObject({ failures: 0 });
  for (let times = 0; times < 10; times += 1) {
    service.answerNext(subscriber.browser, 400);
    await sendLive(subscriber);
  }
  expect(await subscriber.row()).toBeUndefined();
});

test("a message is not sent any more if the player has switched it off, the session has ended or it was read", async () => {
  const subscriber = await buildSubscriber({ results: false });
  const session = await runningQuietly();
  const live: Push = { subscriptionId: subscriber.id, about: "session", aboutId: session.id };
  const event = await build.event("resolved");
  const ids = [await write({ ...live, about: "event", aboutId: event.id }), await write(live)];
  await set(sessions, session.id, { state: "stopped", stoppedAt: sql`game_now()` });
  for (const id of ids) expect(await sendNow(id)).toBeNull();
  await db.update(pushSubscriptions).set({ results: true }).where(eq(pushSubscriptions.id, subscriber.id));
  const told = { userId: subscriber.player.id, kind: "refund" as const, title: "Refunded", body: "" };
  const read = only(
    await db
      .insert(notifications)
      .values({ ...told, readAt: new Date() })
      .returning(),
  );
  expect(await sendNow(await write({ ...live, about: "notification", aboutId: read.id }))).toBeNull();
  expect(service.deliveriesTo(subscriber.browser)).toEqual([]);
});

test("nothing is sent to an address inside the network, and its subscription is removed", async () => {
  const internal = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("secret") });
  afterFile(async () => internal.stop(true));
  for (const endpoint of [`${internal.url.origin}/`, "https://localhost/", "https://10.0.0.8/"]) {
    const subscriber = await buildSubscriber();
    await db.update(pushSubscriptions).set({ endpoint }).where(eq(pushSubscriptions.id, subscriber.id));
    expect(await sendLive(subscriber)).toBeNull();
    expect(await subscriber.row()).toBeUndefined();
  }
  expect(internal.pendingRequests).toBe(0);
});
