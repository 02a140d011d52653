import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { Semaphore } from "#db/pool/semaphore.ts";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { sessions } from "#db/schema/sessions.ts";
import { workers } from "#jobs/workers.ts";
import { explainError } from "#src/base/describe-error.ts";
import { writeLetter } from "#src/mail/letter.ts";
import { sendLetter } from "#src/mail/send-letter.ts";
import { sendPush } from "#src/people/push/send-push.ts";
import { newBlobKey } from "#src/people/storage/announce-upload.ts";
import { createStore } from "#src/people/storage/create-store.ts";
import { deliverWebhook } from "#src/webhooks/deliver-webhook.ts";
import { buildSubscriber } from "#tests/people/push/build-subscriber.ts";
import { PushService } from "#tests/people/push/push-service.ts";
import { figure } from "#tests/prove/figure.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { HostileServer, hostileBehaviours } from "#tests/support/hostile-server.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { buildDelivery, buildWebhook, deliveriesOf } from "#tests/webhooks/build-webhook.ts";
import { Receiver } from "#tests/webhooks/receiver.ts";

// Each server that the product sends requests to does its worst, on real sockets and with the deadlines of production: what else the
// queue has is on time, nothing stays connected, memory is flat, and the operator reads why. Stripe and the collector of traces are asked as
// the receivers of webhooks are; tests of each day have them.

const service = new PushService();
const receiver = new Receiver();
const deps = await testDeps({ PUSH_SERVICE_URL: service.origin });
const { db } = deps.pool;
afterFile(() => Promise.all([service.stop(), receiver.stop()]));

const TIMEOUT_MS = 600_000;
/** What the process may grow by, with all its buffers, while servers send to it without end. */
const GROWTH_BYTES_MAX = 200_000_000;
const MESSAGES = 40;
const OBJECTS = 8;

const behaviours = Object.entries(hostileBehaviours);
const startAll = () =>
  Promise.all(
    behaviours.map(async ([name, behave]) => ({ name, server: await HostileServer.start(behave) })),
  );
type Hostile = Awaited<ReturnType<typeof startAll>>;

/** Does some work, then waits until nothing is connected and measures how long it took and how much the process has grown. */
async function measured(what: string, hostile: Hostile, work: () => Promise<void>): Promise<void> {
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  const startMs = performance.now();
  await work();
  const tookS = (performance.now() - startMs) / 1_000;
  // A server that reads nothing does not notice the end of a connection either.
  const noticing = hostile.filter(({ name }) => name !== "reads nothing");
  await waitFor("all connections to be closed", () => noticing.every(({ server }) => server.open === 0));
  Bun.gc(true);
  const grown = process.memoryUsage.rss() - before;
  figure(`${what}: over after ${tookS.toFixed(1)} s, ${Math.round(grown / 1e6)} MB more`);
  expect(grown).toBeLessThan(GROWTH_BYTES_MAX);
}

/** Runs jobs in the places of a queue: those of hostile servers were added first. @returns when the good ones were done. */
async function race(
  concurrency: number,
  hostile: (() => Promise<unknown>)[],
  good: (() => Promise<unknown>)[],
) {
  const places = new Semaphore(concurrency);
  const startMs = performance.now();
  const all = hostile.map((job) => places.run(job));
  await Promise.all(good.map((job) => places.run(job)));
  const doneMs = performance.now() - startMs;
  await Promise.all(all);
  return { doneMs, allMs: performance.now() - startMs };
}

test(
  "webhooks: the messages of a good receiver arrive while ten others do their worst",
  async () => {
    const hostile = await startAll();
    const ids: number[] = [];
    const hooks = new Map<string, number>();
    for (const { name, server } of hostile) {
      const { id } = await buildWebhook(deps, `${server.origin}/hook`, name);
      hooks.set(name, id);
      for (let number = 0; number < MESSAGES; number += 1) ids.push(await buildDelivery(deps, id));
    }
    const { id: good } = await buildWebhook(deps, receiver.url, "Good");
    const goodIds: number[] = [];
    for (let number = 0; number < MESSAGES; number += 1) goodIds.push(await buildDelivery(deps, good));
    const deliver = (id: number) => () => deliverUntilSent(id);
    await measured("webhooks", hostile, async () => {
      const once = ids.map((id) => () => deliverWebhook(deps, id));
      const concurrency = workers.deliverWebhook.options.concurrency ?? 1;
      const { doneMs, allMs } = await race(concurrency, once, goodIds.map(deliver));
      expect(receiver.received).toHaveLength(MESSAGES);
      expect(doneMs).toBeLessThan(allMs);
      figure(
        `${MESSAGES} good messages arrived after ${(doneMs / 1_000).toFixed(1)} s beside ${ids.length} others`,
      );
    });
    for (const [name, id] of hooks) {
      const errors = new Set(
        (await deliveriesOf(deps, id)).map(({ error }) => error).filter((error) => error !== null),
      );
      figure(`a receiver that ${name}: ${[...errors].join(" ") || "has its messages"}`);
    }
  },
  TIMEOUT_MS,
);

/** A message that finds no place of its host comes back, as its job does. */
async function deliverUntilSent(id: number): Promise<void> {
  for (;;) {
    const waitMs = await deliverWebhook(deps, id);
    if (waitMs === null) return;
    await Bun.sleep(waitMs);
  }
}

test(
  "push: the messages of a good service arrive while players have subscribed at ten others that do their worst",
  async () => {
    const hostile = await startAll();
    const session = await buildSession(deps);
    const startedAt = sql`game_now()`;
    await db.update(sessions).set({ state: "running", startedAt }).where(eq(sessions.id, session.id));
    const order = (subscriptionId: number) => ({ subscriptionId, about: "session" as const, id: session.id });
    const jobs: (() => Promise<unknown>)[] = [];
    for (const { server } of hostile) {
      const env = { ...deps.env, push: { ...deps.env.push, serviceOrigin: server.origin } };
      for (let number = 0; number < MESSAGES / 2; number += 1) {
        const { id } = await buildSubscriber(deps, service);
        await db
          .update(pushSubscriptions)
          .set({ endpoint: `${server.origin}/${id}` })
          .where(eq(pushSubscriptions.id, id));
        jobs.push(() => sendPush({ ...deps, env }, order(id)));
      }
    }
    const { id, browser } = await buildSubscriber(deps, service);
    await measured("push", hostile, async () => {
      const good = [() => sendPush(deps, order(id))];
      const { doneMs, allMs } = await race(workers.sendPush.options.concurrency ?? 1, jobs, good);
      expect(service.deliveriesTo(browser)).toHaveLength(1);
      expect(doneMs).toBeLessThan(allMs);
      figure(
        `a good push message arrived after ${(doneMs / 1_000).toFixed(1)} s behind ${jobs.length} others`,
      );
    });
  },
  TIMEOUT_MS,
);

test(
  "a bucket that does its worst is a 503 in time, and the operator reads why",
  async () => {
    const hostile = await startAll();
    await measured("bucket", hostile, async () => {
      const ask = async ({ name, server }: Hostile[number]) => {
        const { host } = new URL(server.origin);
        const store = createStore({
          kind: "s3",
          endpoint: `http://${host}`,
          bucket: "bucket",
          prefix: "",
          region: "us-east-1",
          accessKeyId: "id",
          secretAccessKey: "secret",
        });
        const bytes = new Uint8Array(100_000);
        const puts = Array.from({ length: OBJECTS }, () => store.put(newBlobKey(), bytes, "image/png"));
        const gets = Array.from({ length: OBJECTS }, () => store.get(newBlobKey()));
        for (const refusal of await Promise.all([...puts, ...gets].map(refusalOf)))
          expect([name, refusal.status]).toEqual([name, 503]);
        figure(`a bucket that ${name}: ${explainError(store.trouble()).replaceAll("\n", " ")}`);
      };
      await Promise.all(hostile.map(ask));
    });
  },
  TIMEOUT_MS,
);

test(
  "a mail server that does its worst is given up in time",
  async () => {
    const hostile = await startAll();
    const letter = writeLetter({ to: "ana@example.test", subject: "A subject", paragraphs: ["One."] });
    await measured("mail", hostile, async () => {
      const ask = async ({ name, server }: Hostile[number]) => {
        const smtpUrl = server.origin.replace("http:", "smtp:");
        const sent = sendLetter(letter, { smtpUrl, from: "a@example.test", id: "mail-1" });
        const error = await sent.catch((caught: unknown) => caught);
        expect([name, error instanceof Error]).toEqual([name, true]);
        figure(`a mail server that ${name}: ${explainError(error)}`);
      };
      await Promise.all(hostile.map(ask));
    });
  },
  TIMEOUT_MS,
);
