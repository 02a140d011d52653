import path from "node:path";
import { eq } from "drizzle-orm";
import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { startWebProcess, startWorkerProcess } from "#tests/faults/worker-process.ts";
import { startMailServer } from "#tests/mail/mail-server.ts";
import { startStripeServer, STRIPE_KEY } from "#tests/money/payments/stripe-server.ts";
import { buildSubscriber } from "#tests/people/push/build-subscriber.ts";
import { PushService } from "#tests/people/push/push-service.ts";
import { startIllRedis } from "#tests/proofs/engines/ill-redis.ts";
import type { Scrapes } from "#tests/proofs/operate/metrics/firing-alerts.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildAdmin } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { startS3Server } from "#tests/support/s3-server.ts";
import { testServers } from "#tests/support/servers.ts";
import { createSilentPort, createSilentProxy } from "#tests/support/silent-proxy.ts";
import { startCollector } from "#tests/traces/collector.ts";
import { buildWebhook } from "#tests/webhooks/build-webhook.ts";

const METRICS_TOKEN = "a token that only tests of faults use";

const portOf = (url: string) => Number(new URL(url).port);

/** A receiver of webhooks that answers with a status until another is set. */
function startReceiver() {
  const state = { status: 204, received: 0 };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      await request.arrayBuffer();
      if (state.status < 300) state.received += 1;
      return new Response(null, { status: state.status });
    },
  });
  afterFile(() => server.stop(true));
  return { origin: server.url.origin, state };
}

/** The servers that the product needs, each of which can be stopped and started again. */
async function startServers() {
  const [redis, mail, { dataFolder }] = await Promise.all([
    startIllRedis(),
    startMailServer(),
    testServers(),
  ]);
  const push = new PushService();
  const bucket = startS3Server();
  const receiver = startReceiver();
  const [stripe, collector] = [startStripeServer(), startCollector()];
  const gateBefore = (url: string) => createSilentPort(portOf(url));
  const [mailGate, pushGate, bucketGate, receiverGate, stripeGate, collectorGate] = await Promise.all([
    gateBefore(mail.url),
    gateBefore(push.origin),
    gateBefore(bucket.address.replace(/^s3/, "http")),
    gateBefore(receiver.origin),
    gateBefore(stripe.url),
    gateBefore(collector.url),
  ]);
  const [database, redisLine] = await Promise.all([
    createSilentProxy(path.join(dataFolder.socketFolder, ".s.PGSQL.5432")),
    createSilentProxy(redis.url.slice("unix:".length)),
  ]);
  afterFile(() => Promise.all([redis, mail, push, bucket, stripe, collector].map((server) => server.stop())));
  return {
    redis,
    redisLine,
    database,
    mail: { server: mail, gate: mailGate },
    push: { server: push, gate: pushGate, origin: `http://127.0.0.1:${pushGate.port}` },
    bucket: { server: bucket, gate: bucketGate },
    receiver: { state: receiver.state, gate: receiverGate },
    stripe: { server: stripe, gate: stripeGate },
    collector: { gate: collectorGate },
  };
}

/** A web process and a worker on these servers. */
async function startProcesses(
  servers: Awaited<ReturnType<typeof startServers>>,
  more: Record<string, string>,
) {
  const { redis, redisLine, mail, push, bucket, database, stripe, collector } = servers;
  const metricsPort = 20_000 + Math.floor(Math.random() * 10_000);
  const settings = {
    REDIS_URL: redis.url,
    SMTP_URL: `smtp://127.0.0.1:${mail.gate.port}`,
    PUSH_SERVICE_URL: push.origin,
    STORAGE: bucket.server.address.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${bucket.gate.port}`),
    METRICS_TOKEN,
    METRICS_PORT: String(metricsPort),
    DATABASE_SILENT_SECONDS: "3",
    STRIPE_SECRET_KEY: STRIPE_KEY,
    STRIPE_WEBHOOK_SECRET: "whsec_of_tests_of_faults",
    STRIPE_API_URL: `http://127.0.0.1:${stripe.gate.port}`,
    ...more,
  };
  const deps = await testDeps(settings, { checkBooks: false });
  const address = new URL(deps.env.databaseUrl);
  address.username = APPLICATION_ROLE;
  address.searchParams.set("host", path.dirname(database.socket));
  const variables = {
    ...settings,
    DATABASE_URL: address.toString(),
    REDIS_URL: `unix:${redisLine.socket}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.gate.port}`,
  };
  const web = await startWebProcess(deps, { variables });
  // Another one, as on a machine that is not scraped.
  const otherWeb = await startWebProcess(deps, { variables: { ...variables, METRICS_PORT: "" } });
  let worker = await startWorkerProcess(deps, { variables });
  afterFile(() => Promise.all([web.kill(), otherWeb.kill(), worker.kill()]));
  return {
    deps,
    web,
    otherWeb,
    worker: () => worker,
    startWorker: async () => {
      worker = await startWorkerProcess(deps, { variables });
    },
    metrics: { "web-1": metricsPort, worker: metricsPort + 1 },
  };
}

/**
 * The whole product, a web process and a worker, with all the servers that it needs, each of which can be stopped and started again: a
 * Postgres, a Redis, a mail server, a bucket, a push service, a payment provider, a collector of traces, and the receiver of a webhook.
 * @param more settings of the processes.
 */
export async function startWholeProduct(more: Record<string, string> = {}) {
  const servers = await startServers();
  const processes = await startProcesses(servers, more);
  const { deps, web } = processes;
  const address = `http://127.0.0.1:${servers.receiver.gate.port}/called-it`;
  const { id: webhookId } = await buildWebhook(deps, address);
  const credentials = await signInDirectly(deps, await buildAdmin(deps));
  const headers = { accept: "application/json", "content-type": "application/json", origin: web.origin };
  return {
    ...servers,
    ...processes,
    webhookId,
    credentials,
    /** What an admin sends. */
    admin: (method: string, target: string, body?: unknown) =>
      fetch(`${web.origin}${target}`, {
        method,
        headers: { ...headers, ...credentials },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    /** A browser whose push service is behind the gate. */
    subscribe: async () => {
      const subscriber = await buildSubscriber(deps, servers.push.server);
      const endpoint = subscriber.browser.endpoint.replace(servers.push.server.origin, servers.push.origin);
      await deps.pool.db
        .update(pushSubscriptions)
        .set({ endpoint })
        .where(eq(pushSubscriptions.id, subscriber.id));
      return subscriber;
    },
  };
}

export type WholeProduct = Awaited<ReturnType<typeof startWholeProduct>>;

const SCRAPES_APART_S = 6;
const ANSWERS_WITHIN_MS = 5_000;

/** What an observer sends. */
export const observer = { authorization: `Bearer ${METRICS_TOKEN}` };

async function scrapeAll({ metrics }: WholeProduct): Promise<(string | null)[]> {
  const scrape = async (port: number) => {
    const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
    return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers: observer, signal })).text();
  };
  return Promise.all(Object.values(metrics).map((each) => scrape(each).catch(() => null)));
}

/** Reads the metrics of the processes that are scraped, at two moments. */
export async function scrapeTwice(product: WholeProduct): Promise<Scrapes[]> {
  const first = await scrapeAll(product);
  await Bun.sleep(SCRAPES_APART_S * 1_000);
  const second = await scrapeAll(product);
  return Object.keys(product.metrics).map((instance, index) => ({
    instance,
    first: first[index] ?? null,
    second: second[index] ?? null,
    secondsApart: SCRAPES_APART_S,
  }));
}
