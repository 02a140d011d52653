import path from "node:path";
import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { startWebProcess, startWorkerProcess } from "#tests/faults/worker-process.ts";
import { startIllRedis } from "#tests/proofs/engines/ill-redis.ts";
import type { Scrapes } from "#tests/proofs/operate/metrics/firing-alerts.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildAdmin } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { testServers } from "#tests/support/servers.ts";
import { createSilentProxy } from "#tests/support/silent-proxy.ts";
import { buildWebhook } from "#tests/webhooks/build-webhook.ts";

export const METRICS_TOKEN = "a_token_that_only_tests_of_faults_use";

/** A receiver of webhooks. @returns its address. */
function startReceiver(): string {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      await request.arrayBuffer();
      return new Response(null, { status: 204 });
    },
  });
  afterFile(() => server.stop(true));
  return server.url.origin;
}

/** The servers that the product needs, each of which can be stopped and started again. */
async function startServers() {
  const [redis, { dataFolder }] = await Promise.all([startIllRedis(), testServers()]);
  const receiver = startReceiver();
  const database = await createSilentProxy(path.join(dataFolder.socketFolder, ".s.PGSQL.5432"));
  afterFile(() => redis.stop());
  return { redis, database, receiver };
}

/** A web process and a worker on these servers. */
async function startProcesses(
  servers: Awaited<ReturnType<typeof startServers>>,
  more: Record<string, string>,
) {
  const { redis, database } = servers;
  const metricsPort = 20_000 + Math.floor(Math.random() * 10_000);
  const settings = {
    REDIS_URL: redis.url,
    METRICS_TOKEN,
    METRICS_PORT: String(metricsPort),
    DATABASE_SILENT_SECONDS: "3",
    ...more,
  };
  const deps = await testDeps(settings, { checkBooks: false });
  const address = new URL(deps.env.databaseUrl);
  address.username = APPLICATION_ROLE;
  address.searchParams.set("host", path.dirname(database.socket));
  const variables = { ...settings, DATABASE_URL: address.toString() };
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
 * The whole product, two web processes and a worker, with a Postgres, a Redis and the receiver of a webhook.
 * @param more settings of the processes.
 */
export async function startWholeProduct(more: Record<string, string> = {}) {
  const servers = await startServers();
  const processes = await startProcesses(servers, more);
  const { deps, web } = processes;
  const { id: webhookId } = await buildWebhook(deps, `${servers.receiver}/called-it`);
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
  };
}

export type WholeProduct = Awaited<ReturnType<typeof startWholeProduct>>;

const SCRAPES_APART_S = 6;
const ANSWERS_WITHIN_MS = 5_000;

/** What an observer sends. */
export const observer = { authorization: `Bearer ${METRICS_TOKEN}` };

/** The ports of the metrics of its processes. */
type Scraped = { metrics: Readonly<Record<string, number>> };

async function scrapeAll({ metrics }: Scraped): Promise<(string | null)[]> {
  const scrape = async (port: number) => {
    const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
    return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers: observer, signal })).text();
  };
  return Promise.all(Object.values(metrics).map((each) => scrape(each).catch(() => null)));
}

/** Reads the metrics of the processes that are scraped, at two moments. */
export async function scrapeTwice(product: Scraped): Promise<Scrapes[]> {
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
