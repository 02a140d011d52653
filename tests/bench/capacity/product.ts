import { readdirSync, readFileSync } from "node:fs";
import { allocatorVariables } from "#src/run/allocator.ts";
import { childrenOf } from "#tests/support/product-process.ts";
import { type BenchDeps, openBenchDeps } from "../bench-deps.ts";
import { cpuOf, serverPids } from "../cpu.ts";
import { type Process, startWeb, startWorker, type Web } from "../start-web.ts";
import { type Cpu, withoutCpu } from "./units.ts";

const TICK_US = 10_000;
const KIB = 1_024;
/** The relay's thread; see src/relay/start-relay-thread.ts. */
const RELAY_THREAD = "Worker";

/** The whole product, in production mode: a web process, a worker, Postgres and Redis. */
export type Product = {
  deps: BenchDeps;
  web: Web;
  pids: { web: number; worker: number; postgres: number; redis: number };
  stop: () => Promise<void>;
};

/** What some work took. `walBytes`: what Postgres wrote to its log meanwhile. */
export type Spent = { cpu: Cpu; seconds: number; walBytes: number };

export async function startWholeProduct(): Promise<Product> {
  const deps = await openBenchDeps();
  // Each caller has an address of its own, so that no limit of addresses is met.
  const web = await startWeb(deps, { variables: { TRUSTED_PROXIES: "127.0.0.1" } });
  const worker: Process = startWorker(deps);
  const { postgres, redis } = await serverPids(deps);
  return {
    deps,
    web,
    pids: { web: web.pids[0] ?? 0, worker: worker.pid, postgres, redis },
    stop: async () => {
      await web.stop();
      await worker.stop();
      await deps.close();
    },
  };
}

/** Does the work. @returns what all processes spent meanwhile. */
export async function spend(product: Product, work: () => Promise<unknown>): Promise<Spent> {
  const [cpuBefore, walBefore] = [cpuNow(product), await walPosition(product)];
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpu = withoutCpu(cpuNow(product), [[cpuBefore, 1]]);
  return { cpu, seconds, walBytes: (await walPosition(product)) - walBefore };
}

function cpuNow({ pids }: Product): Cpu {
  const relay = relayUs(pids.web);
  return {
    web: cpuOf([pids.web]) - relay,
    relay,
    postgres: cpuOf([pids.postgres]),
    redis: cpuOf([pids.redis]),
    worker: cpuOf([pids.worker]),
  };
}

/** The CPU time of the relay's thread. */
function relayUs(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks)
    .map((task) => readFileSync(`${tasks}/${task}/stat`, "utf8"))
    .filter((stat) => stat.includes(`(${RELAY_THREAD})`))
    .map((stat) => stat.slice(stat.lastIndexOf(")") + 2).split(" "))
    .reduce((sum, fields) => sum + (Number(fields[11]) + Number(fields[12])) * TICK_US, 0);
}

/** Gives the planner its statistics, which autovacuum does at a time of its own. */
export async function vacuum({ deps }: Product): Promise<void> {
  await deps.pool.sql.unsafe("VACUUM (ANALYZE)");
}

/** Ends what Postgres has put off. The first change of each page after it writes the whole page to the log. */
export async function checkpoint({ deps }: Product): Promise<void> {
  await deps.pool.sql.unsafe("CHECKPOINT");
}

async function walPosition({ deps }: Product): Promise<number> {
  const [row]: { bytes: string }[] = await deps.pool
    .sql`SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes`;
  return Number(row?.bytes);
}

/** The bytes of each table with its indexes. */
export async function tableBytes({ deps }: Product): Promise<Map<string, number>> {
  const rows: { name: string; bytes: string }[] = await deps.pool.sql`
    SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

/** The bytes of all tables. */
export async function databaseBytes(product: Product): Promise<number> {
  return [...(await tableBytes(product)).values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** The memory of a process and its children. What they share is counted once. */
export function memoryOf(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + ownBytes(each), 0);
}

/** The same, once the allocator has given back what was freed. */
export async function keptMemoryOf(pid: number): Promise<number> {
  await Bun.sleep(2 * Number(allocatorVariables.MIMALLOC_PURGE_DELAY));
  return memoryOf(pid);
}

/** 0 for a process that has ended. */
function ownBytes(pid: number): number {
  try {
    return Number(/^Pss: +(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) * KIB;
  } catch {
    return 0;
  }
}
