import { expect, test } from "bun:test";
import { connect, type DatabasePool } from "#db/client.ts";
import { pushMessages } from "#db/schema/push-subscriptions.ts";
import { breaks } from "#db/schema/spending.ts";
import { startWorker } from "#jobs/workers.ts";
import { connectRedis } from "#src/base/redis.ts";
import { deliverPush } from "#src/people/push/deliver-push.ts";
import type { PushSubscriptionBody } from "#src/people/push/schemas.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { Relays } from "#tests/live/relay/relays.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildSubscriber as buildSubscriberOf } from "./build-subscriber.ts";
import type { PushBrowser } from "./push-browser.ts";
import { PushService } from "./push-service.ts";

const service = new PushService();
const { deps, build, timer } = await testWorld({ PUSH_SERVICE_URL: service.origin });
const relays = await Relays.open(deps);
const web = relays.start();
const connection = connectRedis(deps.env.redisUrl, "worker");
const current: { pool: DatabasePool } = { pool: web.pool };
const working = Object.defineProperty({ ...web }, "pool", { get: () => current.pool });
const workers = (["fanOutPushes", "sendPush"] as const).map((kind) => startWorker(kind, working, connection));
afterFile(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  connection.disconnect();
  await relays.stop();
  relays.listener.stop();
  await service.stop();
});

const buildSubscriber = (wanted: Partial<PushSubscriptionBody> = {}) =>
  buildSubscriberOf(deps, service, wanted);

const received = (browser: PushBrowser, count: number) =>
  waitFor(`message ${count}`, () => {
    const deliveries = service.deliveriesTo(browser);
    return deliveries.length >= count ? deliveries : null;
  });

async function startNamed(name: string) {
  const session = await build.session({ name });
  await build.draft({ sessionId: session.id, startMode: "offset", offsetSeconds: 3_600 });
  return startSession(web, { sessionId: session.id, actor: null });
}

test("who asked hears that a session is live, for ten minutes and before all else, signed by the product", async () => {
  const { browser, row } = await buildSubscriber({ results: false });
  const silent = await buildSubscriber({ sessionLive: false });
  const session = await startNamed("Friday Football");
  const [delivery] = await received(browser, 1);
  expect(delivery?.message).toEqual({
    title: "Friday Football is live",
    body: "The first question opens in a moment.",
    url: `/sessions/${session.slug}`,
    tag: `live-${session.id}`,
  });
  expect(delivery).toMatchObject({ ttl: "600", urgency: "high", topic: `live-${session.id}` });
  expect(delivery?.signedBy).toBe(deps.env.push.publicKey);
  expect(delivery?.claims).toMatchObject({ aud: service.origin, sub: "mailto:no-reply@localhost" });
  await waitFor("the success to be recorded", async () => (await row())?.lastSuccessAt !== null);
  expect(service.deliveriesTo(silent.browser)).toEqual([]);
});

test("winners and losers hear their result of an event, and who called nothing does not", async () => {
  const [winner, loser, watcher] = [
    await buildSubscriber(),
    await buildSubscriber(),
    await buildSubscriber(),
  ];
  const { session, event } = await build.openShow({ title: "Will it rain?" });
  await build.call({ userId: winner.player.id, eventId: event.id, wagerCents: 500 });
  await build.call({ userId: loser.player.id, eventId: event.id, side: "false", wagerCents: 304 });
  await timer.close(event.id);
  await resolveAndPay(web, { eventId: event.id, actor: null, result: "true" });
  const about = { body: "Will it rain?", url: `/sessions/${session.slug}`, tag: `results-${session.id}` };
  const won = await waitForMessage(winner.browser, /^You called it: \+\$3\.04$/);
  expect(won).toMatchObject({
    message: about,
    ttl: "10800",
    urgency: "normal",
    topic: `results-${session.id}`,
  });
  expect(await waitForMessage(loser.browser, /^It went the other way: -\$3\.04$/)).toMatchObject({
    message: about,
  });
  expect(titlesTo(watcher.browser)).not.toContain("You called it: $0.00");

  // A correction comes with a notification of its own, and with no second result.
  const corrected = { eventId: event.id, actor: null, result: "false", reason: "Seen again" } as const;
  await resolveAndPay(web, corrected);
  await waitForMessage(winner.browser, /^Result corrected to False/);
  expect(titlesTo(winner.browser).filter((title) => title.startsWith("It went"))).toEqual([]);
});

const titlesTo = (browser: PushBrowser) =>
  service.deliveriesTo(browser).map((delivery) => titleOf(delivery.message));

function titleOf(message: unknown): string {
  return typeof message === "object" && message !== null && "title" in message ? String(message.title) : "";
}

const waitForMessage = (browser: PushBrowser, title: RegExp) =>
  waitFor(`the message ${title.source}`, () => {
    return service.deliveriesTo(browser).find((delivery) => title.test(titleOf(delivery.message))) ?? null;
  });

test("on a break nothing is pushed, also no own result, and what waited when it began is dropped", async () => {
  const [away, here] = [await buildSubscriber(), await buildSubscriber()];
  const session = await build.runningSession();
  const event = await build.event("open", { sessionId: session.id });
  await build.call({ userId: away.player.id, eventId: event.id });
  await build.call({ userId: here.player.id, eventId: event.id, side: "false" });
  const waiting = { subscriptionId: away.id, about: "session", aboutId: session.id, service: "" } as const;
  const [push] = await deps.pool.db.insert(pushMessages).values(waiting).returning();
  await deps.pool.db.insert(breaks).values({ userId: away.player.id, period: "day" });
  await timer.close(event.id);
  await resolveAndPay(web, { eventId: event.id, actor: null, result: "true" });
  await waitForMessage(here.browser, /^It went the other way/);
  await deliverPush(web, push?.id ?? 0);
  expect(titlesTo(away.browser)).toEqual([]);
});

test("a refund is told once, with its reason", async () => {
  const { player, browser } = await buildSubscriber();
  const event = await build.event("open", { title: "Will it count?" });
  await build.call({ userId: player.id, eventId: event.id, wagerCents: 500 });
  await timer.close(event.id);
  await resolveAndPay(web, { eventId: event.id, actor: null, result: "void", reason: "Abandoned" });
  const { message } = await waitForMessage(browser, /^\$5\.00 back/);
  expect(message).toMatchObject({ body: "Will it count? Abandoned", url: "/sessions" });
  expect(titlesTo(browser).filter((title) => title.includes("called it"))).toEqual([]);
});

test("the end of a session is told with its score", async () => {
  const { player, browser } = await buildSubscriber({ sessionLive: false });
  const { session, event } = await build.openShow({}, { name: "The derby" });
  const rival = await build.player();
  await build.call({ userId: player.id, eventId: event.id });
  await build.call({ userId: rival.id, eventId: event.id, side: "false" });
  await timer.close(event.id);
  await resolveAndPay(web, { eventId: event.id, actor: null, result: "true" });
  await stopSession(web, { sessionId: session.id, actor: null });
  const { message } = await waitForMessage(browser, /^The derby is over$/);
  expect(message).toMatchObject({ url: `/sessions/${session.slug}/history` });
});

test("what is to be told while the database is away is told when it is back, and no job has failed", async () => {
  const { browser } = await buildSubscriber({ results: false });
  const queue = deps.queues.byName["push-fan-outs"];
  const { failed: before } = await queue.getJobCounts("failed");
  current.pool = connect("postgres://nobody@127.0.0.1:1/nowhere");
  await startNamed("Away");
  // It has failed as often as a job may.
  await waitFor("the job to wait", async () =>
    (await queue.getDelayed()).some((job) => job.attemptsMade === 4),
  );
  await current.pool.close();
  current.pool = web.pool;
  await waitForMessage(browser, /^Away is live$/);
  expect((await queue.getJobCounts("failed"))["failed"]).toBe(before);
});
