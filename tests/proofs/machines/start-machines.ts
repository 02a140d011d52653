import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { launch } from "#db/embedded/server.ts";
import { createLog } from "#src/base/log.ts";
import { keepRunning, type Supervised } from "#src/run/keep-running.ts";
import { ownVariables, readEnv } from "#src/settings/env.ts";
import { freePort } from "#tests/engines/free-port.ts";
import { type PostgresEngine, startPostgresEngine } from "#tests/engines/postgres.ts";
import { type Certificate, startNginx } from "#tests/proofs/engines/nginx.ts";
import { startPgBouncer } from "#tests/proofs/engines/pgbouncer.ts";
import { type RedisCluster, startRedisCluster } from "#tests/proofs/engines/redis-cluster.ts";
import { REPLICA, startReplica } from "#tests/proofs/engines/replica.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const WEBS = 2;
const WORKERS = 2;
const POOL_SIZE = 20;
const CONNECTIONS = "200";
const SECRET_KEY = "a secret that is only ever used by the machines";

/** What an operator would run on several machines, on the ports of one. */
export type Machines = {
  /** Of nginx, by https. */
  url: string;
  /** The variables of its processes. */
  variables: Record<string, string>;
  ownerDatabaseUrl: string;
  /** A cluster of three masters, each with a replica. */
  redis: RedisCluster;
  primary: PostgresEngine;
  replica: PostgresEngine;
  /** Each is started again when it ends. */
  webs: Supervised[];
  workers: Supervised[];
  stop: () => Promise<void>;
};

/**
 * Starts nginx with TLS, two web processes and two workers, each as on a machine of its own, two PgBouncers, a Postgres with a
 * synchronous replica, and a Redis Cluster. There is a demo, as the journeys need it.
 */
export async function startMachines(certificate: Certificate): Promise<Machines> {
  const { dataDir, remove } = makeDataFolder();
  const primary = await startPostgresEngine({ max_connections: CONNECTIONS });
  const replica = await startSynchronousReplica(primary);
  const bouncers = [
    await startPgBouncer(primary, { poolSize: POOL_SIZE }),
    await startPgBouncer(replica, { poolSize: POOL_SIZE }),
  ];
  const redis = await startRedisCluster();
  const port = freePort();
  const hosts = (ports: readonly number[]) => ports.map((each) => `127.0.0.1:${each}`).join(",");
  const owned = hosts([primary.port, replica.port]);
  const pooled = hosts(bouncers.map((bouncer) => bouncer.port));
  const ownerDatabaseUrl = primary.ownerUrl.replace(`127.0.0.1:${primary.port}`, owned);
  const variables = {
    ...ownVariables(),
    NODE_ENV: "development",
    DATA_DIR: dataDir,
    DATABASE_URL: `postgres://${APPLICATION_ROLE}@${pooled}/called_it?pgbouncer=true&target_session_attrs=read-write`,
    MIGRATE_DATABASE_URL: `${ownerDatabaseUrl}?target_session_attrs=read-write`,
    REDIS_URL: redis.url,
    PUBLIC_URL: `https://localhost:${port}`,
    TRUSTED_PROXIES: "127.0.0.1",
    SECRET_KEY,
    RATE_LIMITS: "off",
    DEMO: "on",
    LOG_LEVEL: "warn",
  };
  await runToItsEnd("client/build/build.ts", variables);
  await runToItsEnd("jobs/demo/seed.ts", variables);
  const ports = Array.from({ length: WEBS }, freePort);
  const webs = await Promise.all(ports.map((each, index) => keepWeb(`web-${index + 1}`, each, variables)));
  const workers = await Promise.all(
    Array.from({ length: WORKERS }, (_, index) => keepWorker(`worker-${index + 1}`, variables)),
  );
  const nginx = await startNginx({ port, upstreams: ports, certificate });
  return {
    url: nginx.url,
    variables,
    ownerDatabaseUrl,
    redis,
    primary,
    replica,
    webs,
    workers,
    stop: async () => {
      await nginx.stop();
      await Promise.all([...webs, ...workers].map((each) => each.stop()));
      await Promise.all([...bouncers, redis].map((each) => each.stop()));
      await replica.remove();
      await primary.remove();
      remove();
    },
  };
}

async function startSynchronousReplica(primary: PostgresEngine): Promise<PostgresEngine> {
  const replica = await startReplica(primary, { max_connections: CONNECTIONS });
  // Only now, because without a replica no commit would end.
  await primary.run(`ALTER SYSTEM SET synchronous_standby_names = '${REPLICA}'`);
  await primary.run("SELECT pg_reload_conf()");
  const isSynchronous = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
  await waitFor("the replica", async () => (await primary.run(isSynchronous)).length === 1);
  return replica;
}

type Variables = Record<string, string>;

function keepWeb(name: string, port: number, variables: Variables): Promise<Supervised> {
  return keep(name, "src/main.ts", { ...variables, PORT: String(port) });
}

function keepWorker(name: string, variables: Variables): Promise<Supervised> {
  return keep(name, "jobs/main.ts", variables);
}

/** Starts a process, and starts it again when it ends, as systemd or a container's host does. */
function keep(name: string, file: string, variables: Variables): Promise<Supervised> {
  const start = () =>
    launch({
      name,
      command: [process.execPath, file, ...(file === "src/main.ts" ? [name] : [])],
      cwd: process.cwd(),
      env: variables,
      stopSignal: "SIGTERM",
      isReady: () => true,
      announcesReady: true,
    });
  return keepRunning(name, start, createLog(readEnv(variables), "machines"));
}

async function runToItsEnd(file: string, variables: Variables): Promise<void> {
  const child = Bun.spawn([process.execPath, file], { env: variables, stdout: "inherit", stderr: "inherit" });
  if ((await child.exited) !== 0) throw new Error(`${file} failed; see its output above.`);
}
