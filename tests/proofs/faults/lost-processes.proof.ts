import { expect, test } from "bun:test";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { DatabasePool } from "#db/client.ts";
import { audit } from "#db/schema/audit.ts";
import { settlements } from "#db/schema/ledger.ts";
import { outbox } from "#db/schema/outbox.ts";
import type { Deps } from "#src/base/deps.ts";
import { startPostgresEngine } from "#tests/engines/postgres.ts";
import { type PartProcess, startWebProcess, startWorkerProcess } from "#tests/faults/worker-process.ts";
import { buildDueEvent, delayDue } from "#tests/jobs/due-events.ts";
import { engineDeps } from "#tests/proofs/engines/engine-deps.ts";
import { startPgBouncer } from "#tests/proofs/engines/pgbouncer.ts";
import { figure } from "#tests/prove/figure.ts";
import { afterFile } from "#tests/support/after-file.ts";
import {
  buildAdmin,
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  readEvent,
} from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import {
  createSilentPort,
  createSilentProxy,
  type SilentPort,
  type SilentProxy,
} from "#tests/support/silent-proxy.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { Load, openShow } from "../load.ts";

// Two web processes and a worker. In each round one of them is stopped (SIGSTOP), or its host is lost (its packets are dropped, and no
// connection is closed), while all of them work: at whatever statement it happens to be. The second web process is measured.
/** Each kind of process is lost in both ways. */
const ROUNDS = 6;
const RECOVERED_WITHIN_MS = 5_000;
/** Of the calls on another event; on a machine where they are slower without any loss, twice as long. */
const CALLS_P99_MS = 250;
const QUIET_TIMES = 2;
/** Before the first loss. */
const QUIET_MS = 10_000;
const FROZEN_MS = 6_000;
const SLOWEST_SHOWN = 6;
const RANDOM_DELAY_MS = 700;
const PREPARED_WITHIN_MS = 300_000;
const CLOSES_IN_MS = 1_000;

const victimKinds = ["web", "worker", "relay"] as const;
/** How a process is lost: it is stopped (SIGSTOP), or its packets are dropped and no connection is closed. */
const losses = ["stopped", "dropped"] as const;

type Waited = { what: string; ms: number };

/** Waits for each of these, and says how long after `sinceMs` it was true. */
async function timeAll(sinceMs: number, waits: Record<string, () => Promise<boolean>>): Promise<Waited[]> {
  return Promise.all(
    Object.entries(waits).map(async ([what, isTrue]) => {
      await waitFor(what, isTrue, { withinMs: 60_000 });
      return { what, ms: Math.round(performance.now() - sinceMs) };
    }),
  );
}

const callsOf = ({ met }: Load) => met.filter(({ what }) => what === "call").map(({ tookMs }) => tookMs);

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

for (const [setup, isPooled] of [
  ["a Postgres of one's own", false],
  ["PgBouncer", true],
] as const) {
  test(`with ${setup}: whatever process is lost, nothing is lost with it, and all else goes on`, () =>
    playRounds(setup, isPooled));
}

/** A running show: players on an event of their own at each web process, and a host at the one that may be lost. */
async function openProduct(isPooled: boolean) {
  const setup = await startSetup(isPooled);
  const { deps, web, victimOrigin } = setup;
  const [session, host] = [await buildRunningSession(deps), await buildAdmin(deps)];
  const by = await signInDirectly(deps, host);
  const load = async (origin: string) =>
    Load.start(deps, { origin, show: await openShow(deps), paths: ["/up"] });
  const hosted = await buildEvent(deps, "open", { sessionId: session.id, durationSeconds: 1_800 });
  const keepHostingAt = (origin: string) => keepHosting(origin, by, [hosted.id]);
  const [measured, atVictim] = [await load(web.origin), await load(victimOrigin)];
  const countDeeds = () => deps.pool.db.$count(audit, eq(audit.actorId, host.id));
  return { ...setup, sessionId: session.id, countDeeds, keepHostingAt, measured, atVictim };
}
type Show = Awaited<ReturnType<typeof openProduct>>;

/** An event with a call on each side that is about to close, and is then resolved by itself. */
async function prepareDue({ deps, sessionId }: Show): Promise<number> {
  const terms = { sessionId, resolveWithinSeconds: 0, autoResult: "true" as const };
  const due = await buildDueEvent(deps, PREPARED_WITHIN_MS, terms);
  for (const side of ["true", "false"] as const)
    await buildCall(deps, { userId: (await buildPlayer(deps)).id, eventId: due.id, side });
  await delayDue(deps, due.id, CLOSES_IN_MS);
  return due.id;
}

async function choose({ deps, victims }: Show, kind: (typeof victimKinds)[number]): Promise<Part> {
  if (kind === "relay") return waitFor("a relay", () => findRelay(deps.pool, victims));
  const part = victims.find(({ name }) => name === kind);
  if (part === undefined) throw new Error(`no ${kind}`);
  return part;
}

/** Times what has to go on. @param dueId of the event that closes at `dueAtMs`. */
async function timeRecovery(
  show: Show,
  { dueId, dueAtMs }: { dueId: number; dueAtMs: number },
): Promise<Waited[]> {
  const { db } = show.deps.pool;
  const lostAtMs = performance.now();
  const deedsBefore = await show.countDeeds();
  const stopHosting = show.keepHostingAt(show.web.origin);
  const lastFact = Number((await db.execute(sql`SELECT max(id) AS id FROM outbox`))[0]?.["id"]);
  const oldFact = sql`SELECT 1 FROM outbox WHERE sent_at IS NULL AND id <= ${lastFact} LIMIT 1`;
  const times = await Promise.all([
    timeAll(lostAtMs, {
      "the facts of that moment broadcast": async () => (await db.execute(oldFact)).length === 0,
      "the held event free for a host": async () => (await show.countDeeds()) > deedsBefore,
    }),
    timeAll(dueAtMs, {
      "a due event closed": async () =>
        ["closed", "resolved"].includes((await readEvent(show.deps, dueId)).state),
    }),
  ]);
  stopHosting();
  const isPaid = and(eq(settlements.eventId, dueId), isNotNull(settlements.paidAt));
  await waitFor("the payout", async () => (await db.$count(settlements, isPaid)) > 0);
  return times.flat();
}

async function playRound(show: Show, round: number): Promise<Waited[]> {
  const [kind, loss] = [victimKinds[round % 3] ?? "web", losses[Math.floor(round / 3) % 2] ?? "stopped"];
  const dueId = await prepareDue(show);
  const dueAtMs = performance.now() + CLOSES_IN_MS;
  await Bun.sleep(Math.random() * RANDOM_DELAY_MS);
  const part = await choose(show, kind);
  const lostAtMs = performance.now();
  const giveBack = lose(part, loss);
  const waited = await timeRecovery(show, { dueId, dueAtMs });
  await Bun.sleep(Math.max(0, FROZEN_MS - (performance.now() - lostAtMs)));
  giveBack();
  const backAtMs = performance.now();
  await waitFor("a call through it", () =>
    show.atVictim.met.some(({ what, status, atMs }) => what === "call" && status === 201 && atMs > backAtMs),
  );
  return waited.map(({ what, ms }) => ({ what: `${what} (${kind} ${loss})`, ms }));
}

async function playRounds(setup: string, isPooled: boolean): Promise<void> {
  const show = await openProduct(isPooled);
  const { deps, measured, atVictim } = show;
  const stopHosting = show.keepHostingAt(show.victimOrigin);
  await Bun.sleep(QUIET_MS);
  const quietMs = callsOf(measured);
  const waited: Waited[] = [];
  for (let round = 0; round < ROUNDS; round += 1) waited.push(...(await playRound(show, round)));
  stopHosting();
  const reports = [await measured.stop(), await atVictim.stop()];
  const callsMs = callsOf(measured).slice(quietMs.length);
  const [p99, quietP99] = [percentile(callsMs, 0.99), percentile(quietMs, 0.99)];
  const slowest = waited.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST_SHOWN);
  figure(
    `${setup}: ${ROUNDS} rounds, ${callsMs.length} calls, p99 ${p99} ms (without a loss ${quietP99} ms)`,
  );
  for (const { what, ms } of slowest) figure(`${what} after ${ms} ms`);

  for (const { lost, unknown, differences } of reports)
    expect({ lost, unknown, differences }).toEqual({ lost: [], unknown: [], differences: [] });
  await waitFor(
    "all facts to be broadcast",
    async () => (await deps.pool.db.$count(outbox, isNull(outbox.sentAt))) === 0,
  );
  expect(measured.met.filter(({ what, status }) => what === "call" && status !== 201)).toEqual([]);
  expect(waited.filter(({ ms }) => ms > RECOVERED_WITHIN_MS)).toEqual([]);
  expect(p99).toBeLessThanOrEqual(Math.max(CALLS_P99_MS, QUIET_TIMES * quietP99));
}

/** A process that reaches the database and Redis through proxies of its own. */
type Part = PartProcess & { name: "web" | "worker"; database: SilentPort; redis: SilentProxy };
/** A web process and a worker that may be lost, and a web process that stays. */
type Product = { deps: Deps; web: PartProcess & { origin: string }; victims: Part[]; victimOrigin: string };

/** Starts them on a Postgres of one's own, `isPooled`: behind a PgBouncer. */
async function startSetup(isPooled: boolean): Promise<Product> {
  const postgres = await startPostgresEngine();
  afterFile(() => postgres.remove());
  const bouncer = isPooled ? await startPgBouncer(postgres, { poolSize: 20 }) : null;
  if (bouncer !== null) afterFile(() => bouncer.stop());
  const { url, port } = bouncer ?? postgres;
  const deps = await engineDeps(postgres);
  const over = async (name: Part["name"]) => {
    const database = await createSilentPort(port);
    const redis = await createSilentProxy(deps.env.redisUrl.slice("unix:".length));
    const variables = {
      DATABASE_URL: url.replace(`:${port}/`, `:${database.port}/`),
      MIGRATE_DATABASE_URL: postgres.ownerUrl,
      REDIS_URL: `unix:${redis.socket}`,
      DATABASE_SILENT_SECONDS: "3",
    };
    const part =
      name === "web"
        ? await startWebProcess(deps, { variables })
        : await startWorkerProcess(deps, { variables });
    afterFile(async () => {
      process.kill(part.pid, "SIGCONT");
      await part.kill();
    });
    return { ...part, name, database, redis };
  };
  const web = await startWebProcess(deps, {
    variables: { DATABASE_URL: url, MIGRATE_DATABASE_URL: postgres.ownerUrl },
  });
  afterFile(() => web.kill());
  const [victim, worker] = [await over("web"), await over("worker")];
  const victimOrigin = "origin" in victim ? String(victim.origin) : "";
  return { deps, web, victims: [victim, worker], victimOrigin };
}

/** Which of these processes has the relay's lock now, by the name of its connection. */
async function findRelay(pool: DatabasePool, victims: readonly Part[]): Promise<Part | null> {
  const rows = await pool.db
    .execute(sql`SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'advisory' AND l.classid = 7702 AND l.objid = 1 AND l.granted`);
  const name = String(rows[0]?.["name"]);
  return victims.find(({ pid }) => name.includes(` ${pid} `)) ?? null;
}

/** Loses a process. @returns gives it back. */
function lose(part: Part, loss: (typeof losses)[number]): () => void {
  if (loss === "stopped") {
    process.kill(part.pid, "SIGSTOP");
    return () => process.kill(part.pid, "SIGCONT");
  }
  for (const proxy of [part.database, part.redis]) {
    proxy.dropPresent();
    proxy.freeze();
  }
  return () => [part.database, part.redis].forEach((proxy) => proxy.thaw());
}

/** A host who delays events through the process, one after the other, and does not wait for answers that do not come. */
function keepHosting(origin: string, by: Record<string, string>, eventIds: readonly number[]): () => void {
  let running = true;
  const isRunning = () => running;
  void (async () => {
    for (let round = 0; isRunning(); round += 1) {
      const path = `/api/v1/events/${eventIds[round % eventIds.length]}/delay`;
      const body = JSON.stringify({ event: { seconds: round % 2 === 0 ? 30 : -30 } });
      const headers = { ...by, origin, "content-type": "application/json" };
      await fetch(`${origin}${path}`, { method: "PUT", headers, body, signal: AbortSignal.timeout(2_000) })
        .then((answer) => answer.body?.cancel())
        .catch(() => undefined);
    }
  })();
  return () => {
    running = false;
  };
}
