import path from "node:path";
import { eq } from "drizzle-orm";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { startIllRedis } from "#tests/engines/ill-redis.ts";
import { startMailServer } from "#tests/mail/mail-server.ts";
import { buildSubscriber } from "#tests/people/push/build-subscriber.ts";
import { PushService } from "#tests/people/push/push-service.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildAdmin } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { createGate } from "#tests/support/gate.ts";
import { startS3Server } from "#tests/support/s3-server.ts";
import { testServers } from "#tests/support/servers.ts";
import { createSilentProxy } from "#tests/support/silent-proxy.ts";
import { buildWebhook } from "#tests/webhooks/build-webhook.ts";
import { startWebProcess, startWorkerProcess } from "./worker-process.ts";

export const METRICS_TOKEN = "a token that only tests of faults use";

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
  const [mailGate, pushGate, bucketGate, receiverGate, database] = await Promise.all([
    createGate(portOf(mail.url)),
    createGate(portOf(push.origin)),
    createGate(portOf(bucket.address.replace(/^s3/, "http"))),
    createGate(portOf(receiver.origin)),
    createSilentProxy(path.join(dataFolder.socketFolder, ".s.PGSQL.5432")),
  ]);
  afterFile(() => Promise.all([redis.stop(), mail.stop(), push.stop(), bucket.stop()]));
  return {
    redis,
    database,
    socketFolder: dataFolder.socketFolder,
    mail: { server: mail, gate: mailGate },
    push: { server: push, gate: pushGate, origin: `http://127.0.0.1:${pushGate.port}` },
    bucket: { server: bucket, gate: bucketGate },
    receiver: { state: receiver.state, gate: receiverGate },
  };
}

/** A web process and a worker on these servers. */
async function startProcesses(servers: Awaited<ReturnType<typeof startServers>>) {
  const { redis, mail, push, bucket, database, socketFolder } = servers;
  const metricsPort = 20_000 + Math.floor(Math.random() * 10_000);
  const settings = {
    REDIS_URL: redis.url,
    SMTP_URL: `smtp://127.0.0.1:${mail.gate.port}`,
    PUSH_SERVICE_URL: push.origin,
    STORAGE: bucket.server.address.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${bucket.gate.port}`),
    METRICS_TOKEN,
    METRICS_PORT: String(metricsPort),
    DATABASE_SILENT_SECONDS: "3",
  };
  const deps = await testDeps(settings, { checkBooks: false });
  const [real, proxied] = [socketFolder, path.dirname(database.socket)].map(encodeURIComponent);
  const DATABASE_URL = deps.env.databaseUrl.replace(real ?? "", proxied ?? "");
  const variables = { ...settings, DATABASE_URL };
  const web = await startWebProcess(deps, { variables });
  let worker = await startWorkerProcess(deps, { variables });
  afterFile(() => Promise.all([web.kill(), worker.kill()]));
  return {
    deps,
    web,
    worker: () => worker,
    startWorker: async () => {
      worker = await startWorkerProcess(deps, { variables });
    },
    metrics: { "web-1": metricsPort, worker: metricsPort + 1 },
  };
}

/**
 * The whole product, a web process and a worker, with all the servers that it needs, each of which can be stopped and started again: a
 * Postgres, a Redis, a mail server, a bucket, a push service, and the receiver of a webhook.
 */
export async function startWholeProduct() {
  const servers = await startServers();
  const processes = await startProcesses(servers);
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
