import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import type { Deps } from "#src/base/deps.ts";
import { registry as counted } from "#src/base/instruments.ts";
import { lockCounts } from "#src/base/lock.ts";
import { readVersion } from "#src/base/read-version.ts";
import type { Hub } from "#src/live/cable/hub.ts";
import { runChecks } from "#src/operate/checks/check.ts";
import { adminChecks } from "#src/operate/checks/checks.ts";
import { createDegradedGauge, createStateGauges, readState } from "./state-gauges.ts";

// Decision: each process answers for itself, at an address of its own, and Prometheus adds up: a scrape through a port that several
// processes share would meet another counter each time. The state of the product as a whole is read by each of them, so that a
// stopped worker or web process hides nothing; dashboards and alerts take the largest value.

/** Scrapes that come closer together get the same state. */
const STATE_FOR_MS = 1_000;
const EVENT_LOOP_EVERY_MS = 20;

/** What requests can do without. */
const degradable = adminChecks.filter(({ severity }) => severity === "degraded");

/** The sockets of a process; a worker has none. */
type Sockets = Pick<Hub, "load">;

/** The metrics of a process, as Prometheus reads them. */
export type ProcessMetrics = { contentType: string; read: () => Promise<string> };

/** Collects the metrics of this process, and the state of the product when they are read. */
export function createProcessMetrics(deps: Deps, hub: Sockets | null = null): ProcessMetrics {
  const own = new Registry();
  addLocks(own, deps);
  addPool(own, deps);
  if (hub !== null) addSockets(own, hub);
  addBuild(own, deps);
  const setState = createStateGauges(own);
  const setDegraded = createDegradedGauge(own);
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> = Promise.resolve();
  const readAgain = () => {
    if (performance.now() - readAtMs > STATE_FOR_MS) {
      readAtMs = performance.now();
      reading = Promise.all([readState(deps), runChecks(deps, degradable)]).then(([state, results]) => {
        setState(state);
        setDegraded(results);
      });
    }
    return reading;
  };
  const all = Registry.merge([counted, own, runtimeMetrics()]);
  return {
    contentType: all.contentType,
    read: async () => {
      await readAgain();
      return all.metrics();
    },
  };
}

let runtime: Registry | null = null;

/** CPU, memory, event loop and open files, under the names that dashboards for Node know. */
function runtimeMetrics(): Registry {
  if (runtime === null) {
    runtime = new Registry();
    collectDefaultMetrics({ register: runtime, eventLoopMonitoringPrecision: EVENT_LOOP_EVERY_MS });
  }
  return runtime;
}

function addLocks(registry: Registry, { redis }: Deps): void {
  new Counter({
    name: "called_it_locks_total",
    help: "Locks by outcome: given, busy, stale, or away: the work ran with the database's locks alone.",
    labelNames: ["outcome"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(lockCounts(redis))) this.inc({ outcome }, count);
    },
  });
}

/** A number of this process. */
function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name: `called_it_${name}`,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** What this process has counted elsewhere. */
function addCounter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name: `called_it_${name}`,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

function addPool(registry: Registry, { pool }: Deps): void {
  const count = (name: keyof ReturnType<typeof pool.counts>) => () => pool.counts()[name];
  addGauge(registry, "database_connections_max", "Connections that this process may use.", count("size"));
  addGauge(registry, "database_connections_used", "Connections that are in use.", count("running"));
  const waiting = "Statements and transactions that wait for a connection.";
  addGauge(registry, "database_waiting", waiting, count("waiting"));
  addCounter(registry, "database_waits_total", "Waits for a connection.", count("waits"));
  const waitedS = () => pool.counts().waitedMs / 1_000;
  addCounter(registry, "database_wait_seconds_total", "How long they took together.", waitedS);
}

function addSockets(registry: Registry, hub: Sockets): void {
  addGauge(registry, "cable_sockets", "Open sockets.", () => hub.load.sockets);
  const slow = "Clients that read more slowly than messages arrive.";
  addGauge(registry, "cable_slow_clients", slow, () => hub.load.slow);
}

function addBuild(registry: Registry, { env }: Deps): void {
  const { release, commit, bun } = readVersion(env);
  new Gauge({
    name: "called_it_build_info",
    help: "The release that runs; always 1.",
    labelNames: ["release", "commit", "bun"],
    registers: [registry],
  }).set({ release, commit: commit ?? "", bun }, 1);
}
