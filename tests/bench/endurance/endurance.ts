import path from "node:path";
import { inArray } from "drizzle-orm";
import * as v from "valibot";
import { calls } from "#db/schema/calls.ts";
import { sessionStream } from "#src/base/streams/broadcast.ts";
import { findStreamOffsets } from "#src/base/streams/stream-offsets.ts";
import { freePort } from "#tests/engines/free-port.ts";
import { sessionChannel } from "#tests/live/cable/client.ts";
import { listDifferences } from "#tests/support/books.ts";
import { buildEvent, buildPlayer, buildRunningSession, readSpots } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { type BenchDeps, openBenchDeps } from "../bench-deps.ts";
import { atMost } from "../goal.ts";
import { quantile } from "../numbers.ts";
import { residentBytes } from "../resident-bytes.ts";
import { endWithThis, startWebProcess, startWorker, untilUp } from "../start-web.ts";
import { show, type Table } from "../table.ts";
import { waitForBroadcasts } from "../wait-for-broadcasts.ts";
import { type ListenersReport, listenersReport } from "./listeners.ts";
import { placeSteadily } from "./place-steadily.ts";

/** `bun run bench endurance 1600`: for how many seconds calls are placed. More do not fit into the longest event. */
const SECONDS = process.argv.map(Number).find((seconds) => seconds > 0) ?? 120;
const SOCKETS = 5_000;
const LISTENING_PROCESSES = 2;
const ROBOTS = 300;
const CALLS_PER_SECOND = 300;
const BATCH = 100;
const MB = 1_048_576;
const EVENT_SECONDS_MAX = 1_800;
const SAMPLE_EVERY_MS = 5_000;
/** The restarts are in the first quarter, so that memory is that of the same processes afterwards. */
const RESTARTS_PART = 0.25;
const variables = { TRUSTED_PROXIES: "127.0.0.1", WEB_CONCURRENCY: "2" };

/**
 * Runs two web processes and a worker under a steady load, and restarts them one after the other. Each acknowledged call must be
 * in the books once, and each socket must get each message of the session once and in order.
 */
export async function benchEndurance(): Promise<Table> {
  const deps = await openBenchDeps();
  const port = freePort();
  const origin = `http://127.0.0.1:${port}`;
  const webs = [startWebProcess(deps, port, variables), startWebProcess(deps, port, variables)];
  let worker = startWorker(deps);
  try {
    await Promise.all(webs.map(({ ready }) => ready));
    await untilUp(origin);
    const { id: sessionId } = await buildRunningSession(deps);
    const event = await buildEvent(deps, "open", { sessionId, durationSeconds: EVENT_SECONDS_MAX });
    const spots = await readSpots(deps, event.id);
    const listeners = await openListeners(deps, origin, sessionChannel(sessionId));
    const credentials = await signInPlayers(deps, ROBOTS);
    const spotIds = [spots.true.id, spots.false.id];
    const placing = placeSteadily({ origin, spotIds, credentials }, CALLS_PER_SECOND);
    const restartEveryMs = (SECONDS * 1_000 * RESTARTS_PART) / (webs.length + 1);
    for (const index of webs.keys()) {
      await Bun.sleep(restartEveryMs);
      await webs[index]?.stop();
      webs[index] = startWebProcess(deps, port, variables);
      await webs[index].ready;
    }
    await Bun.sleep(restartEveryMs);
    await worker.stop();
    worker = startWorker(deps);
    const memory = {
      web: sampleMemory(webs.map(({ pid }) => pid)),
      worker: sampleMemory([worker.pid]),
    };
    await Bun.sleep(SECONDS * 1_000 * (1 - RESTARTS_PART));
    await placing.stop();
    memory.web.stop();
    memory.worker.stop();
    await waitForBroadcasts(deps);
    const report = await untilAllHave(deps, listeners, sessionId);
    return await tableOf(deps, {
      placed: placing.placed,
      report,
      webMegabytes: memory.web.megabytes,
      workerMegabytes: memory.worker.megabytes,
    });
  } finally {
    for (const each of [...webs, worker]) await each.stop();
    await deps.close();
  }
}

async function signInPlayers(deps: BenchDeps, count: number): Promise<Record<string, string>[]> {
  const signedIn: Record<string, string>[] = [];
  while (signedIn.length < count) {
    const size = Math.min(BATCH, count - signedIn.length);
    const batch = Array.from({ length: size }, async () =>
      signInDirectly(deps, await buildPlayer(deps, { balanceCents: 10_000_000 })),
    );
    signedIn.push(...(await Promise.all(batch)));
  }
  return signedIn;
}

type Listeners = { report: () => Promise<ListenersReport[]> };

async function openListeners(deps: BenchDeps, origin: string, identifier: string): Promise<Listeners> {
  const count = SOCKETS / LISTENING_PROCESSES;
  const processes = Array.from({ length: LISTENING_PROCESSES }, () => startListeners());
  for (const [index, { ask }] of processes.entries()) {
    const cookies = (await signInPlayers(deps, count)).map(({ cookie }) => cookie ?? "");
    await ask({ command: "open", origin, identifier, cookies, firstAddress: index * count });
  }
  return { report: () => Promise.all(processes.map(({ ask }) => ask({ command: "report" }))) };
}

function startListeners(): { ask: (command: object) => Promise<ListenersReport> } {
  let waiting: PromiseWithResolvers<ListenersReport> | null = null;
  const child = Bun.spawn([process.execPath, path.join(import.meta.dir, "listeners.ts")], {
    ipc: (message) => waiting?.resolve(v.parse(listenersReport, message)),
    onExit: () => waiting?.reject(new Error("the listeners ended")),
    stderr: "inherit",
  });
  endWithThis(child);
  return {
    ask: (command) => {
      waiting = Promise.withResolvers<ListenersReport>();
      child.send(command);
      return waiting.promise;
    },
  };
}

/** Waits until every socket has the last message of the session. */
async function untilAllHave(
  deps: BenchDeps,
  listeners: Listeners,
  sessionId: number,
): Promise<ListenersReport[]> {
  const [last] = await findStreamOffsets(deps.redis, [sessionStream(sessionId)]);
  let reports = await listeners.report();
  await waitFor(
    "all sockets to have the last message",
    async () => {
      reports = await listeners.report();
      return reports.every(({ lowest }) => lowest >= (last?.offset ?? 0));
    },
    { withinMs: 60_000 },
  );
  return reports;
}

/** The memory of processes together. */
function sampleMemory(pids: readonly number[]): { megabytes: number[]; stop: () => void } {
  const megabytes: number[] = [];
  const timer = setInterval(() => {
    megabytes.push(pids.reduce((sum, pid) => sum + residentBytes(pid), 0) / MB);
  }, SAMPLE_EVERY_MS);
  return { megabytes, stop: () => clearInterval(timer) };
}

/** The most in each quarter of the time. */
function byQuarter(samples: readonly number[]): number[] {
  const from = (quarter: number) => Math.floor((samples.length * quarter) / 4);
  return [0, 1, 2, 3].map((quarter) => Math.max(0, ...samples.slice(from(quarter), from(quarter + 1))));
}

type Result = {
  placed: ReturnType<typeof placeSteadily>["placed"];
  report: ListenersReport[];
  webMegabytes: number[];
  workerMegabytes: number[];
};

async function tableOf(
  deps: BenchDeps,
  { placed, report, webMegabytes, workerMegabytes }: Result,
): Promise<Table> {
  const ids = [...placed.ids];
  let found = 0;
  for (let from = 0; from < ids.length; from += 10_000)
    found += await deps.pool.db.$count(calls, inArray(calls.id, ids.slice(from, from + 10_000)));
  const total = await deps.pool.db.$count(calls);
  const differences = await listDifferences(deps.pool.db);
  const count = (name: Exclude<keyof ListenersReport, "lowest" | "highest">) =>
    report.reduce((all, each) => all + each[name], 0);
  const sum = (name: Parameters<typeof count>[0]) => show(count(name));
  const web = byQuarter(webMegabytes);
  const worker = byQuarter(workerMegabytes);
  const growth = (quarters: readonly number[]) => (quarters[3] ?? 0) / (quarters[1] ?? 0);
  const refused = [...placed.refused].map(
    ([status, count]) => `${count} x ${status === 0 ? "none" : status}`,
  );
  return {
    title: `endurance: ${SECONDS} s with ${show(SOCKETS)} sockets and ${CALLS_PER_SECOND} calls a second; two web processes and a worker are restarted one after the other in the first quarter`,
    rows: [
      ["what", "measured"],
      ["calls acknowledged", show(ids.length)],
      ["of them missing in the books", show(ids.length - found)],
      ["calls in the books that nobody was told of", show(total - found)],
      ["answers that were no call", refused.join(", ") || "0"],
      ["call p50 ms", show(quantile(placed.tookMs, 0.5))],
      ["call p99 ms", show(quantile(placed.tookMs, 0.99))],
      ["call max ms", show(Math.max(...placed.tookMs))],
      ["sockets open at the end", sum("open")],
      ["reconnects", sum("reconnects")],
      ["messages received", sum("messages")],
      ["messages missed", sum("missed")],
      ["messages received twice", sum("doubled")],
      ["histories refused", sum("rejected")],
      ["memory of both web processes, by quarter, MB", web.map(show).join(", ")],
      ["memory of the worker, by quarter, MB", worker.map(show).join(", ")],
      ["differences in the books", show(differences.length)],
    ],
    goals: [
      atMost(0, { what: "calls lost", measured: ids.length - found, unit: "" }),
      atMost(0, { what: "messages missed", measured: count("missed"), unit: "" }),
      atMost(0, { what: "messages received twice", measured: count("doubled"), unit: "" }),
      atMost(0, { what: "differences in the books", measured: differences.length, unit: "" }),
      atMost(1.2, { what: "memory of the web, last quarter to second", measured: growth(web), unit: "x" }),
      atMost(1.2, {
        what: "memory of the worker, last quarter to second",
        measured: growth(worker),
        unit: "x",
      }),
    ],
    notes: ["The quarters are those of the time after the restarts."],
  };
}
