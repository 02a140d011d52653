import { readFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import { connect } from "#db/client.ts";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import type { Deps } from "#src/base/deps.ts";
import { createLog } from "#src/base/log.ts";
import { createQueues } from "#src/base/queues.ts";
import { createStore } from "#src/people/storage/create-store.ts";
import { readEnv } from "#src/settings/env.ts";
import { type Machine, makeRoot, startMachine } from "#tests/deploy/clean-machine.ts";
import { makeCertificates } from "#tests/engines/certificates.ts";
import { startMailServer } from "#tests/mail/mail-server.ts";
import { startStripeServer, STRIPE_KEY } from "#tests/money/payments/stripe-server.ts";
import { buildSubscriber } from "#tests/people/push/build-subscriber.ts";
import { PushService } from "#tests/people/push/push-service.ts";
import { afterFile, makeFileFolder } from "#tests/support/after-file.ts";
import { buildAdmin } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { readyConnection } from "#tests/support/redis.ts";
import { startS3Server } from "#tests/support/s3-server.ts";
import { createSilentPort } from "#tests/support/silent-proxy.ts";
import { startCollector } from "#tests/traces/collector.ts";
import { buildWebhook } from "#tests/webhooks/build-webhook.ts";
import { METRICS_TOKEN, observer } from "./whole-product.ts";

// A machine that deploy/setup.sh has made, with a certificate that it trusts, and the servers of others, each of which can be stopped: the
// machine reaches their gates at its own loopback address, as this one does its ports.

const NAME = "play.example.com";
const HOOK = "hook.example.com";
/** Production sends webhooks to addresses of the internet alone. */
const PUBLIC = "20.0.0.1";
const WEBHOOK_SECRET = "whsec_of_tests_of_faults";

const portOf = (url: string) => Number(new URL(url).port);

/** The servers of others, with a gate before each. */
async function startServers() {
  const names = [NAME, HOOK];
  const certificates = {
    good: makeCertificates(makeFileFolder(), { names, days: 60 }),
    ending: makeCertificates(makeFileFolder(), { names, days: 5 }),
  };
  const mail = await startMailServer();
  const push = new PushService();
  const [bucket, stripe, collector] = [startS3Server(), startStripeServer(), startCollector()];
  const state = { status: 204 };
  const receiver = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: { key: Bun.file(certificates.good.key), cert: Bun.file(certificates.good.certificate) },
    fetch: async (request) => {
      await request.arrayBuffer();
      return new Response(null, { status: state.status });
    },
  });
  const urls = [
    mail.url,
    push.origin,
    bucket.address.replace(/^s3/, "http"),
    receiver.url.origin,
    stripe.url,
    collector.url,
  ];
  const gates = await Promise.all(urls.map((url) => createSilentPort(portOf(url))));
  afterFile(() =>
    Promise.all([
      receiver.stop(true),
      ...[mail, push, bucket, stripe, collector].map((server) => server.stop()),
    ]),
  );
  const [mailGate, pushGate, bucketGate, receiverGate, stripeGate, collectorGate] = gates;
  if (!mailGate || !pushGate || !bucketGate || !receiverGate || !stripeGate || !collectorGate)
    throw new Error("Each server has a gate.");
  return {
    certificates,
    gates,
    mail: { server: mail, gate: mailGate },
    push: { server: push, gate: pushGate, origin: `http://127.0.0.1:${pushGate.port}` },
    bucket: { server: bucket, gate: bucketGate },
    receiver: { state, gate: receiverGate },
    stripe: { server: stripe, gate: stripeGate },
    collector: { gate: collectorGate },
  };
}

type Servers = Awaited<ReturnType<typeof startServers>>;

const settingsFor = ({ mail, push, bucket, stripe, collector }: Servers) => `
SMTP_URL=smtp://127.0.0.1:${mail.gate.port}
PUSH_SERVICE_URL=${push.origin}
STORAGE=${bucket.server.address.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${bucket.gate.port}`)}
STRIPE_SECRET_KEY=${STRIPE_KEY}
STRIPE_WEBHOOK_SECRET=${WEBHOOK_SECRET}
STRIPE_API_URL=http://127.0.0.1:${stripe.gate.port}
OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:${collector.gate.port}
METRICS_TOKEN=${METRICS_TOKEN}
METRICS_PORT=9464
NODE_EXTRA_CA_CERTS=/etc/ssl/authority.pem`;

/** What an operator does after the set-up, and the addresses that this machine's internet has. */
const furnish = (servers: Servers) => `set -e
apt-get -qq install --yes --no-install-recommends iproute2 procps > /dev/null
ip address add ${PUBLIC}/32 dev lo
echo "127.0.0.1 ${NAME}
${PUBLIC} ${HOOK}" >> /etc/hosts
systemd-run --quiet --unit=receiver --socket-property=ListenStream=${PUBLIC}:8443 /lib/systemd/systemd-socket-proxyd 127.0.0.1:${servers.receiver.gate.port}
called-it certificate /etc/ssl/good.pem /etc/ssl/good.key
cat >> /etc/called-it.env << 'SETTINGS'${settingsFor(servers)}
SETTINGS
runuser -u postgres -- psql -qc "ALTER ROLE postgres PASSWORD 'proof'" -c "ALTER SYSTEM SET archive_mode = on" -c "ALTER SYSTEM SET archive_command = 'true'"
systemctl restart postgresql
called-it apply`;

/** Two certificates of the machine's name, and who has signed them. */
function putCertificates({ write }: Machine, { good, ending }: Servers["certificates"]): void {
  const read = (file: string) => readFileSync(file, "utf8");
  write("etc/ssl/authority.pem", read(good.ca) + read(ending.ca));
  for (const [name, { certificate, key }] of Object.entries({ good, ending })) {
    write(`etc/ssl/${name}.pem`, read(certificate));
    write(`etc/ssl/${name}.key`, read(key), 0o600);
  }
}

/** Ports of the machine: nginx', Postgres', Redis', of the web processes, and those of the metrics. */
const PORTS = [443, 5432, 6379, 3000, 9464, 9465, 9466];

async function freePort(): Promise<number> {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const port = Number(server.port);
  await server.stop(true);
  return port;
}

/** Makes the machine. */
async function makeMachine(servers: Servers) {
  const into = [];
  for (const port of PORTS) into.push({ port, at: await freePort() });
  const out = servers.gates.map(({ port }) => port);
  const machine = await startMachine(await makeRoot({ name: "bookworm" }), { into, out });
  await must(machine, `/opt/called-it/deploy/setup.sh ${NAME}`);
  putCertificates(machine, servers.certificates);
  await must(machine, furnish(servers));
  return { machine, at: into.map(({ at }) => at) };
}

/** Runs a script that must succeed. @returns what it has printed. */
async function must(machine: Machine, script: string): Promise<string> {
  const { code, output } = await machine.run(script);
  if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${output}`);
  return output;
}

/** What builders need: the database as its administrator, and the Redis of the machine. */
async function makeDeps(
  read: (script: string) => Promise<string>,
  ports: { database: number; redis: number },
): Promise<Deps> {
  const [secretKey = "", redisSecret = ""] = (
    await read(
      "sed -n 's/^SECRET_KEY=//p' /etc/called-it.env; sed -n 's/^user admin on >\\([^ ]*\\) .*/\\1/p' /etc/redis/called-it.conf",
    )
  ).split("\n");
  const env = readEnv({
    NODE_ENV: "test",
    DATA_DIR: makeFileFolder(),
    DATABASE_URL: `postgres://postgres:proof@127.0.0.1:${ports.database}/called_it`,
    REDIS_URL: `redis://admin:${redisSecret}@127.0.0.1:${ports.redis}/0`,
    PUBLIC_URL: `https://${NAME}`,
    SECRET_KEY: secretKey,
    LOG_LEVEL: "silent",
    DEMO: "off",
  });
  const [pool, redis, queueConnection] = [
    connect(env.databaseUrl, { poolSize: 4 }),
    await readyConnection(env.redisUrl),
    await readyConnection(env.redisUrl),
  ];
  const queues = createQueues(queueConnection);
  afterFile(async () => {
    for (const each of [redis, queueConnection]) each.disconnect();
    await pool.close();
  });
  return {
    env,
    pool,
    redis,
    queues,
    store: createStore(env.storage),
    log: createLog(env, "test"),
    notifyRelay: () => undefined,
  };
}

/** The machine with all that the product needs, an admin, and the ways to what can go wrong. */
export async function startNightMachine() {
  const servers = await startServers();
  const { machine, at } = await makeMachine(servers);
  const [https = 0, database = 0, redis = 0, web = 0, ...metrics] = at;
  const run = (script: string) => must(machine, script);
  const deps = await makeDeps(run, { database, redis });
  const { id: webhookId } = await buildWebhook(deps, `https://${HOOK}:8443/called-it`);
  const credentials = await signInDirectly(deps, await buildAdmin(deps));
  /** What a browser with these headers sends. */
  const send = (method: string, target: string, headers: Record<string, string>, body?: unknown) =>
    fetch(`https://127.0.0.1:${https}${target}`, {
      method,
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        host: NAME,
        origin: `https://${NAME}`,
        ...headers,
      },
      tls: { rejectUnauthorized: false },
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    ...servers,
    origin: `https://${NAME}`,
    run,
    deps,
    webhookId,
    send,
    /** What an admin sends. */
    admin: (method: string, target: string, body?: unknown) => send(method, target, credentials, body),
    /** What one of the web processes says, without the proxy. */
    ready: () =>
      fetch(`http://127.0.0.1:${web}/ready`, {
        headers: observer,
        signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
      }),
    /** As Postgres' administrator. */
    psql: (statement: string) => deps.pool.sql.unsafe(statement),
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
    metrics: { "web-1": metrics[0] ?? 0, "web-2": metrics[1] ?? 0, worker: metrics[2] ?? 0 },
  };
}

const ANSWERS_WITHIN_MS = 5_000;

export type NightMachine = Awaited<ReturnType<typeof startNightMachine>>;
