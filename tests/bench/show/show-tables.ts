import { sql } from "drizzle-orm";
import * as v from "valibot";
import { listDifferences } from "#tests/support/books.ts";
import type { BenchDeps } from "../bench-deps.ts";
import { busyUs, cpuOf, residentBytes } from "../cpu.ts";
import { atMost, type Goal, quantile, show, type Table } from "../table.ts";
import type { Asked, ShowOptions, ShowReport } from "./contract.ts";

type Measured = {
  options: ShowOptions;
  reports: readonly ShowReport[];
  asked: readonly Asked[];
  usage: readonly Usage[];
  audit: ShowAudit;
};
type Figures = Record<"calls" | "openings" | "results" | "payments" | "pages", number[]> & {
  refused: [reason: string, times: number][];
  sum: (name: Counted) => number;
};
type Counted = { [Key in keyof ShowReport]: ShowReport[Key] extends number ? Key : never }[keyof ShowReport];

const LARGE = 10_000;
/** Refusals that a player meets on an idle machine too. */
const OWN_FAULTS = new Set(["422 late"]);

/** The tables of a show: what players noticed by phase, what it cost by process, and the audit. */
export function showTables(measured: Measured): Table[] {
  const figures = figuresOf(measured);
  return [playersTable(measured, figures), costTable(measured), auditTable(measured, figures)];
}

function figuresOf({ reports, asked }: Measured): Figures {
  const questions = new Map(asked.map((each) => [each.eventId, each]));
  const refused = new Map<string, number>();
  for (const [reason, times] of reports.flatMap((each) => Object.entries(each.refused)))
    refused.set(reason, (refused.get(reason) ?? 0) + times);
  const sincePaid = (atMs: number | null | undefined, eventId: number) =>
    atMs == null ? [] : [atMs - (questions.get(eventId)?.paysAtMs ?? Number.NaN)];
  const all = reports.flatMap((each) => each.calls);
  return {
    calls: reports.flatMap(({ callMs }) => callMs),
    openings: reports.flatMap(({ openings }) =>
      Object.entries(openings).flatMap(([id, atMs]) => {
        const sentAtMs = questions.get(Number(id))?.sentAtMs ?? Number.NaN;
        return atMs.map((each) => each - sentAtMs);
      }),
    ),
    results: all.flatMap(({ eventId, resultAtMs }) => sincePaid(resultAtMs, eventId)),
    payments: all.flatMap(({ eventId, paymentsAtMs: [first] }) => sincePaid(first, eventId)),
    pages: reports.flatMap(({ pageMs }) => pageMs),
    refused: [...refused],
    sum: (name) => reports.reduce((sum, each) => sum + each[name], 0),
  };
}

function playersTable({ options, reports }: Measured, figures: Figures): Table {
  const row = (name: string, ms: readonly number[]) => [
    name,
    show(ms.length),
    ...[0.5, 0.99, 1].map((share) => show(quantile(ms, share))),
  ];
  const { players, processes, questions, joinS } = options;
  return {
    title: `show: ${show(players)} players, ${show(figures.sum("devices"))} devices, ${questions} questions, ${processes} web process${processes === 1 ? "" : "es"}; all join within ${joinS} s`,
    rows: [
      ["what players notice", "count", "p50 ms", "p99 ms", "max ms"],
      row(
        "joined: page and socket",
        reports.flatMap(({ joinMs }) => joinMs),
      ),
      row("an opening heard, after the host's press", figures.openings),
      row("call", figures.calls),
      row(
        "call in the last 3 s",
        reports.flatMap(({ rushMs }) => rushMs),
      ),
      row("own result heard, after the time to undo", figures.results),
      row("own payment heard, after the time to undo", figures.payments),
      row("page", figures.pages),
      row(
        "a call or a page sent by the load, after its moment",
        reports.flatMap(({ sentLateMs }) => sentLateMs),
      ),
    ],
    goals: options.players < LARGE ? [] : timeGoals(options, figures),
    notes: [
      "Times are those of the load, which shares the machine with the servers. Those of calls and pages begin at their planned moment.",
      "The own result is heard with the message to everybody, which says what each call is paid, or with the own message if that comes first.",
    ],
  };
}

function timeGoals({ processes }: ShowOptions, { calls, openings, results, pages, sum }: Figures): Goal[] {
  const p99 = (limit: number, what: string, ms: readonly number[]) =>
    atMost(limit, { what, measured: quantile(ms, 0.99), unit: "ms" });
  const late = atMost(0, {
    what: "calls refused as late that were sent in time",
    measured: sum("lateInTime"),
    unit: "",
  });
  if (processes > 1) return [p99(500, "a call's answer, p99", calls), late];
  return [
    p99(120, "a call's answer, p99", calls),
    p99(150, "an opening heard, p99", openings),
    p99(600, "the own result after the time to undo, p99", results),
    p99(200, "a page, p99", pages),
    late,
  ];
}

function costTable({ usage, audit, options }: Measured): Table {
  const memory = (...names: string[]) =>
    usage.filter(({ name }) => names.includes(name)).reduce((sum, each) => sum + each.mostMegabytes, 0);
  return {
    title: "show: what it costs",
    rows: [
      ["", "% of a core", "most MB"],
      ...usage.map(({ name, cores, mostMegabytes }) => [
        name,
        show(100 * cores),
        Number.isNaN(mostMegabytes) ? "-" : show(mostMegabytes),
      ]),
    ],
    goals: [
      ...usage
        .filter(({ name }) => name === "web" || name === "worker")
        .map(({ name, growth }) =>
          atMost(1.2, { what: `memory of the ${name}, last quarter to second`, measured: growth, unit: "x" }),
        ),
      ...(options.players < LARGE
        ? []
        : [
            atMost(150, { what: "data of Redis", measured: audit.redisMegabytes, unit: "MB" }),
            atMost(550, { what: "memory of web and worker", measured: memory("web", "worker"), unit: "MB" }),
          ]),
    ],
    notes: [
      `Redis had at most ${show(audit.redisMegabytes)} MB of data, the database has ${show(audit.databaseMegabytes)} MB at the end.`,
    ],
  };
}

function auditTable({ audit }: Measured, { refused, sum }: Figures): Table {
  const forLoad = refused.filter(([reason]) => !OWN_FAULTS.has(reason));
  const zero = (what: string, measured: number): Goal => atMost(0, { what, measured, unit: "" });
  return {
    title: "show: the audit",
    rows: [
      ["what", "count"],
      ["calls acknowledged", show(audit.acknowledged)],
      ["calls in the books", show(audit.booked)],
      ["answers that were no call", refused.map(([why, times]) => `${times} x ${why}`).join(", ") || "0"],
      ["refused as late, sent before the close", show(sum("lateInTime"))],
      ["messages received", show(sum("messages"))],
      ["MB received by sockets", show(sum("bytes") / 1_048_576)],
      ["sockets cut", show(sum("cuts"))],
      ["sockets closed by the server", show(sum("closed"))],
      ["histories that were gone", show(sum("gaps"))],
      ["chat messages, reactions", `${show(sum("chats"))}, ${show(sum("reactions"))}`],
    ],
    goals: [
      zero("acknowledged calls that are not in the books", audit.notBooked),
      zero("not paid", audit.notPaid),
      zero("not broadcast to their player", audit.notTold),
      zero("without a result that their player saw", audit.notSeen),
      zero("messages missed", sum("missed")),
      zero(
        "refused for load",
        forLoad.reduce((total, [, times]) => total + times, 0),
      ),
      zero("differences in the books", audit.differences),
    ],
    notes: [],
  };
}

/** What was true at the end. All but the first two and the sizes must be 0. */
type ShowAudit = {
  acknowledged: number;
  booked: number;
  notBooked: number;
  notPaid: number;
  notTold: number;
  /** Calls of which a result was not seen, of as many as their question had. */
  notSeen: number;
  differences: number;
  redisMegabytes: number;
  databaseMegabytes: number;
};

const MB = 1_048_576;
const bookedRows = v.array(v.object({ id: v.number(), state: v.string() }));

/** Compares what the players noted with the books. */
export async function auditShow(
  deps: BenchDeps,
  { reports, asked }: { reports: readonly ShowReport[]; asked: readonly Asked[] },
): Promise<ShowAudit> {
  const calls = reports.flatMap((each) => each.calls);
  const results = new Map(asked.map(({ eventId, results: count }) => [eventId, count]));
  const { db } = deps.pool;
  const rows = v.parse(bookedRows, [...(await db.execute(sql`SELECT id::float8 AS id, state FROM calls`))]);
  const booked = new Map(rows.map(({ id, state }) => [id, state]));
  const sizes = await db.execute(sql`SELECT pg_database_size(current_database())::float8 AS bytes`);
  const [{ bytes }] = v.parse(v.tuple([v.object({ bytes: v.number() })]), [...sizes]);
  const count = (isBad: (call: (typeof calls)[number]) => boolean) => calls.filter(isBad).length;
  return {
    acknowledged: calls.length,
    booked: booked.size,
    notBooked: count(({ id }) => !booked.has(id)),
    notPaid: count(({ id }) => booked.get(id) !== "resolved"),
    notTold: count(({ isHeard }) => !isHeard),
    notSeen: count(({ eventId, paymentsAtMs }) => paymentsAtMs.length < (results.get(eventId) ?? 1)),
    differences: (await listDifferences(db)).length,
    redisMegabytes: Number(/used_memory_peak:(\d+)/.exec(await deps.redis.info("memory"))?.[1]) / MB,
    databaseMegabytes: bytes / MB,
  };
}

const SAMPLE_EVERY_MS = 2_000;
const US_PER_MS = 1_000;

/** The processes that are watched, by name: the first process of each, whose children count. */
type Watched = ReadonlyMap<string, readonly number[]>;
/**
 * Of one name: its share of one core, the most memory that its processes had together, and how that of the last quarter of the time
 * compares with that of the second: above 1 where it grows.
 */
type Usage = { name: string; cores: number; mostMegabytes: number; growth: number };

/** Measures CPU time and memory of processes, and the CPU time of all others. @returns a function that ends this. */
export function watchProcesses(watched: Watched): () => Usage[] {
  const startedAtMs = performance.now();
  const startedAtUs = busyUs();
  const all = [...watched].map(([name, pids]) => ({
    name,
    pids,
    cpuUs: cpuOf(pids),
    samples: new Array<number>(),
  }));
  const timer = setInterval(() => {
    for (const { pids, samples } of all) samples.push(pids.reduce((sum, pid) => sum + residentBytes(pid), 0));
  }, SAMPLE_EVERY_MS);
  return () => {
    clearInterval(timer);
    const wallUs = (performance.now() - startedAtMs) * US_PER_MS;
    const busyCores = (busyUs() - startedAtUs) / wallUs;
    const usage = all.map(({ name, pids, cpuUs, samples }) => {
      const quarter = (number: number) => {
        const from = (part: number) => Math.floor((samples.length * part) / 4);
        return Math.max(0, ...samples.slice(from(number - 1), from(number)));
      };
      return {
        name,
        cores: (cpuOf(pids) - cpuUs) / wallUs,
        mostMegabytes: Math.max(0, ...samples) / MB,
        growth: quarter(4) / quarter(2),
      };
    });
    const others = busyCores - usage.reduce((sum, { cores }) => sum + cores, 0);
    return [...usage, { name: "what else runs here", cores: others, mostMegabytes: Number.NaN, growth: 1 }];
  };
}
