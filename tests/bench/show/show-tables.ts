import { atMost, type Goal, quantile, show, type Table } from "../table.ts";
import type { ShowAudit } from "./audit-show.ts";
import { type Asked, type ShowOptions, type ShowReport } from "./contract.ts";
import type { Usage } from "./watch-processes.ts";

type Measured = {
  options: ShowOptions;
  reports: readonly ShowReport[];
  asked: readonly Asked[];
  usage: readonly Usage[];
  audit: ShowAudit;
};
type Figures = Record<"calls" | "openings" | "wins" | "pages", number[]> & {
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
  return {
    calls: reports.flatMap(({ callMs }) => callMs),
    openings: reports.flatMap(({ openings }) =>
      Object.entries(openings).flatMap(([id, atMs]) => {
        const sentAtMs = questions.get(Number(id))?.sentAtMs ?? Number.NaN;
        return atMs.map((each) => each - sentAtMs);
      }),
    ),
    wins: reports.flatMap(({ calls }) =>
      calls.flatMap(({ eventId, resultsAtMs: [first] }) =>
        first === undefined ? [] : first - (questions.get(eventId)?.paysAtMs ?? Number.NaN),
      ),
    ),
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
      row("own result heard, after the time to undo", figures.wins),
      row("page", figures.pages),
    ],
    goals: options.players < LARGE ? [] : timeGoals(options, figures),
    notes: ["Times are those of the load, which shares the machine with the servers."],
  };
}

function timeGoals({ processes }: ShowOptions, { calls, openings, wins, pages, sum }: Figures): Goal[] {
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
    p99(600, "the own result after the time to undo, p99", wins),
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
      ...usage.map(({ name, cores, mostMegabytes }) => [name, show(100 * cores), show(mostMegabytes)]),
    ],
    goals: [
      ...usage
        .filter(({ name }) => name === "web" || name === "worker")
        .map(({ name, growth }) =>
          atMost(1.2, {
            what: `memory of the ${name}, last quarter to second`,
            measured: growth,
            unit: "x",
          }),
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
