import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import { findIdleTransactions } from "#db/idle-transactions.ts";
import { listUnpaidSettlements } from "#db/ledger/list-settlements.ts";
import type { Deps } from "#src/base/deps.ts";
import { registry as counted } from "#src/base/instruments.ts";
import { lockCounts } from "#src/base/lock.ts";
import { readVersion } from "#src/base/read-version.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { countFailingRows } from "#src/base/try-rows.ts";
import { showBooks } from "#src/books/show-books.ts";
import type { Hub } from "#src/live/cable/hub.ts";
import { type Result, runChecks } from "#src/operate/checks/check.ts";
import { adminChecks } from "#src/operate/checks/checks.ts";
import { foldTroubles } from "#src/operate/checks/fold-troubles.ts";
import { ownProcess, troublesIn } from "#src/operate/checks/noted-checks.ts";
import { countWebhooks, findUndeliveredMails } from "#src/operate/operations/find-undelivered.ts";
import { findLateTimers, readBehindMs } from "#src/operate/work/late-work.ts";
import { countQueues, countWorkers, inTime } from "#src/operate/work/queues.ts";
import { measureRoom } from "#src/operate/work/room.ts";

// Decision: each process answers for itself, at an address of its own, and Prometheus adds up: a scrape through a port that several
// processes share would meet another counter each time. The state of the product as a whole is read by each of them, so that a
// stopped worker or web process hides nothing; dashboards and alerts take the largest value.

/** Scrapes that come closer together get the same state. */
const STATE_FOR_MS = 1_000;
const SECOND_MS = 1_000;
const EVENT_LOOP_EVERY_MS = 20;

/** The sockets of a process; a worker has none. */
type Sockets = Pick<Hub, "load">;

export type ProcessMetrics = { contentType: string; read: () => Promise<string> };

/** Collects the metrics of this process, and the state of the product when they are read. */
export function createProcessMetrics(deps: Deps, hub: Sockets | null = null): ProcessMetrics {
  const own = new Registry();
  addLocks(own, deps);
  addPool(own, deps);
  if (hub !== null) addSockets(own, hub);
  addBuild(own, deps);
  addRoom(own, deps);
  const setState = createStateGauges(own);
  const setParts = createPartGauges(own);
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> = Promise.resolve();
  const readAgain = () => {
    if (performance.now() - readAtMs > STATE_FOR_MS) {
      readAtMs = performance.now();
      reading = Promise.all([readState(deps), runChecks(deps, adminChecks)]).then(([state, results]) => {
        setState(state);
        setParts(results, ownProcess(deps.log));
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

/** A number of this process. A counter has what was counted elsewhere. */
function addNumber(registry: Registry, name: string, help: string, read: () => number): void {
  const Kind: typeof Counter | typeof Gauge = name.endsWith("_total") ? Counter : Gauge;
  new Kind({
    name: `called_it_${name}`,
    help,
    registers: [registry],
    collect(this: Counter | Gauge) {
      this.reset();
      this.inc(read());
    },
  });
}

function addPool(registry: Registry, { pool }: Deps): void {
  const add = (name: string, help: string, of: keyof ReturnType<typeof pool.counts>, part = 1) =>
    addNumber(registry, `database_${name}`, help, () => pool.counts()[of] / part);
  add("connections_max", "Connections that this process may use.", "size");
  add("connections_used", "Connections that are in use.", "running");
  add("waiting", "Statements and transactions that wait for a connection.", "waiting");
  add("waits_total", "Waits for a connection.", "waits");
  add("wait_seconds_total", "How long they took together.", "waitedMs", SECOND_MS);
}

function addSockets(registry: Registry, hub: Sockets): void {
  addNumber(registry, "cable_sockets", "Open sockets.", () => hub.load.sockets);
  const slow = "Clients that read more slowly than messages arrive.";
  addNumber(registry, "cable_slow_clients", slow, () => hub.load.slow);
}

function gaugeIn<Label extends string = never>(
  registry: Registry,
  name: string,
  help: string,
  labels: Label[] = [],
) {
  return new Gauge({ name: `called_it_${name}`, help, labelNames: labels, registers: [registry] });
}

function addBuild(registry: Registry, { env }: Deps): void {
  const { release, commit, bun } = readVersion(env);
  const help = "The release that runs; always 1.";
  const gauge = gaugeIn(registry, "build_info", help, ["release", "commit", "bun"]);
  gauge.set({ release, commit: commit ?? "", bun }, 1);
}

/** What this process can measure. What has no limit, or none that is known here, has no value. */
function addRoom(registry: Registry, deps: Deps): void {
  new Gauge({
    name: "called_it_room_used_ratio",
    help: "How much is used of what there is of disks, memory, connections and descriptors.",
    labelNames: ["what", "of"],
    registers: [registry],
    async collect() {
      const room = await measureRoom(deps);
      this.reset();
      for (const { what, of, usedShare } of room) if (usedShare !== null) this.set({ what, of }, usedShare);
    },
  });
}

type StateDeps = Pick<Deps, "pool" | "redis" | "queues">;
/** What the database knows, one number each. */
const helps = {
  outbox_age_seconds: "How long ago the oldest fact became true that was not broadcast yet.",
  late_timer_seconds: "How late the latest timer is; 0 without one that is over 2 s late.",
  late_timers: "Timers that are over 2 s late, at most 10.",
  idle_transaction_seconds:
    "For how long a transaction has kept locks while its process said nothing; 0 without one of over 2 s.",
  failing_rows: "Rows whose work has failed twice or more and was not done since.",
  books_differences: "What the last check of the books has found.",
  books_check_age_seconds: "How long ago the books were checked.",
  settlements_unpaid: "Settlements that have not paid all calls yet.",
  settlement_backlog_seconds: "How long ago the oldest of them was decided.",
  webhooks_failing: "Webhooks that take no messages.",
  webhook_messages_waiting:
    "Messages to webhooks that were tried or are older than a minute and have not arrived.",
} as const;
const jobStates = ["waiting", "active", "delayed", "failed"] as const;

/** The state of the product as a whole, within two seconds. Null: that part is away. */
export async function readState(deps: StateDeps) {
  const queues = Promise.all([countQueues(deps), countWorkers(deps)]);
  const [database, redis] = await Promise.all([inTime(readDatabase(deps)), inTime(queues)]);
  return { database, redis };
}

async function readDatabase({ pool: { db } }: StateDeps) {
  const now = serverNow();
  const [behindMs, late, idle, failing, { lastCheck }, unpaid, mails, webhooks] = await Promise.all([
    readBehindMs(db),
    findLateTimers(db),
    findIdleTransactions(db),
    countFailingRows(db),
    showBooks(db, now),
    listUnpaidSettlements(db),
    findUndeliveredMails(db),
    countWebhooks(db),
  ]);
  const ageOf = (moment: Date) => Math.max(0, now.getTime() - moment.getTime()) / SECOND_MS;
  // Null before the first check.
  const checkedAt = lastCheck === null ? null : new Date(lastCheck.checkedAt);
  const numbers: Readonly<Record<string, number | null>> = {
    outbox_age_seconds: behindMs / SECOND_MS,
    late_timer_seconds: (late[0]?.lateMs ?? 0) / SECOND_MS,
    late_timers: late.length,
    idle_transaction_seconds: (idle[0]?.idleMs ?? 0) / SECOND_MS,
    failing_rows: failing,
    books_differences: lastCheck?.differencesCount ?? null,
    books_check_age_seconds: checkedAt === null ? null : ageOf(checkedAt),
    settlements_unpaid: unpaid.length,
    settlement_backlog_seconds: Math.max(0, ...unpaid.map(({ createdAt }) => ageOf(createdAt))),
    webhooks_failing: webhooks.failing,
    webhook_messages_waiting: webhooks.waiting,
  } satisfies Record<keyof typeof helps, number | null>;
  return { numbers, mails };
}

/** The gauges of the product's state, in a registry. @returns sets them; what is away has no value. */
function createStateGauges(registry: Registry): (state: Awaited<ReturnType<typeof readState>>) => void {
  const numbers = Object.entries(helps).map(([name, help]) => [name, gaugeIn(registry, name, help)] as const);
  const waiting =
    "Mails that were tried or are older than a minute and are not sent, and those that were given up.";
  const mails = gaugeIn(registry, "mails", waiting, ["state"]);
  const jobs = gaugeIn(registry, "jobs", "Jobs by queue and state.", ["queue", "state"]);
  const workers = gaugeIn(registry, "workers", "Worker processes that take jobs.");
  return ({ database, redis }) => {
    for (const [name, gauge] of numbers) setOrRemove(gauge, database?.numbers[name] ?? null);
    mails.reset();
    for (const state of ["waiting", "failed"] as const)
      if (database !== null) mails.set({ state }, database.mails[state]);
    const [queues = [], workersCount = null] = redis ?? [];
    jobs.reset();
    for (const queue of queues)
      for (const state of jobStates) jobs.set({ queue: queue.name, state }, queue[state]);
    setOrRemove(workers, workersCount);
  };
}

function setOrRemove(gauge: Gauge<never>, value: number | null): void {
  if (value === null) gauge.remove();
  else gauge.set(value);
}

/** The gauges of what the checks find, in a registry. @returns sets them. */
function createPartGauges(registry: Registry): (results: readonly Result[], process: string) => void {
  const up = gaugeIn(registry, "up", "Whether a part answers: 1, or 0 while it is away.", ["part"]);
  const help =
    "Whether a part does not work: 1, or 0 while it works, or only follows from another part that does not. /ready has the cure.";
  const degraded = gaugeIn(registry, "degraded", help, ["part"]);
  return (results, process) => {
    const now = serverNow();
    const faults = foldTroubles(troublesIn(results, { process, since: now }), now);
    const causes = new Set(faults.map(({ part }) => part));
    for (const { check, state } of results) {
      degraded.set({ part: check.part }, Number(causes.has(check.part)));
      if (["database", "redis"].includes(check.part)) up.set({ part: check.part }, Number(state !== "away"));
    }
  };
}
