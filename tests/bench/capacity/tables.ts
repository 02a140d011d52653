import { PROCESS_CONNECTIONS_MAX } from "#db/client.ts";
import { show, type Table } from "../table.ts";
import { type Assumptions, assumptionTexts, flagOf, readAssumptions } from "./assumptions.ts";
import { isClose } from "./check-model.ts";
import { type Plan, playersUntil } from "./model.ts";
import type { Checked } from "./stored.ts";
import { type Cpu, parts, type Units } from "./units.ts";

const DISK_UNITS = ["bytes", "kB", "MB", "GB", "TB", "PB"];

/** `10^5`, or the number itself. */
export function showPlayers(players: number): string {
  const power = Math.log10(players);
  return Number.isInteger(power) ? `10^${power}` : show(Math.round(players));
}

/** `1.2 GB` */
export function showBytes(bytes: number): string {
  const power = Math.max(0, Math.min(DISK_UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${show(Number((bytes / 1_000 ** power).toPrecision(3)))} ${DISK_UNITS[power]}`;
}

/** Machines, cores and storage for each number of players. */
export function plansTable(plans: readonly Plan[]): Table {
  return {
    title: "What so many players need at the peak, and store in a month",
    rows: [
      [
        "players",
        "live",
        "calls/s",
        "pages/s",
        "messages/s to sockets",
        "sent",
        "web machines (processes)",
        "workers (processes)",
        "Postgres",
        "its connections",
        "Redis",
        "tables a month",
        "log a month",
      ],
      ...plans.map((plan) => [
        showPlayers(plan.players),
        show(plan.traffic.sockets),
        show(round(plan.traffic.calls)),
        show(round(plan.traffic.pages)),
        show(round(plan.load.deliveries)),
        `${showBytes(plan.load.sentBytes)}/s`,
        `${show(plan.machines.web)} (${show(plan.webProcesses)})`,
        `${show(plan.machines.worker)} (${show(plan.workerProcesses)})`,
        show(plan.machines.postgres),
        show(plan.connections),
        show(plan.machines.redis),
        showBytes(plan.monthly.tableBytes),
        showBytes(plan.monthly.walBytes),
      ]),
    ],
    notes: [
      "More than one Postgres or Redis means: more than one such machine can do. See the limits.",
      `Connections: each web process and each worker opens ${PROCESS_CONNECTIONS_MAX} at most, with its relay.`,
    ],
  };
}

/** CPU cores at the peak by part. */
export function coresTable(plans: readonly Plan[]): Table {
  return {
    title: "Cores that are busy at the peak",
    rows: [
      ["players", ...parts],
      ...plans.map(({ players, load }) => [
        showPlayers(players),
        ...parts.map((part) => show(Number(load.cores[part].toPrecision(3)))),
      ]),
    ],
    notes: [],
  };
}

/** What breaks first: each limit, and how many players reach it. */
export function limitsTable(plans: readonly Plan[], units: Units, assumed: Assumptions): Table {
  const limits = (plans.at(-1)?.limits ?? []).map((limit) => ({
    ...limit,
    players: playersUntil(limit.name, units, assumed),
  }));
  return {
    title: "What breaks first: the number of players at which each limit is reached",
    rows: [
      ["limit", "players", ...plans.map(({ players }) => `use at ${showPlayers(players)}`), "what helps"],
      ...limits
        .toSorted((a, b) => a.players - b.players)
        .map(({ name, players, cure }) => [
          name,
          Number.isFinite(players) ? show(Number(players.toPrecision(2))) : "-",
          ...plans.map((plan) => showUse(plan.limits.find((limit) => limit.name === name)?.use ?? 0)),
          cure,
        ]),
    ],
    notes: [
      "Use: of what may be used at the peak. Web machines and workers are added, so they are no limit.",
    ],
  };
}

function showUse(use: number): string {
  return use < 0.005 ? "0 %" : `${show(Number((use * 100).toPrecision(2)))} %`;
}

/** All unit costs. */
export function unitsTable(units: Units): Table {
  const line = (
    what: string,
    cpu: Cpu | null,
    bytes: Partial<Record<"sent" | "log" | "disk", number>> = {},
  ) => [
    what,
    ...parts.map((part) => (cpu === null ? "" : show(round(cpu[part])))),
    ...(["sent", "log", "disk"] as const).map((kind) => {
      const size = bytes[kind];
      return size === undefined ? "" : show(Math.round(size));
    }),
  ];
  const sizes = (of: { walBytes: number; diskBytes: number }) => ({ log: of.walBytes, disk: of.diskBytes });
  const at = (perSecond: number) => `${show(Math.round(perSecond))} a second`;
  return {
    title: "Unit costs: CPU time in microseconds, and bytes",
    rows: [
      ["one", ...parts, "sent", "log", "disk"],
      line("second of idle processes", units.idle),
      ...units.pageCurve.map(({ perSecond, cpu }) =>
        line(`action page, ${at(perSecond)}`, cpu, { sent: units.pages.action.bytes }),
      ),
      line("leaders page", units.pages.leaderboard.cpu, { sent: units.pages.leaderboard.bytes }),
      line("history page", units.pages.history.cpu, { sent: units.pages.history.bytes }),
      line("wallet page", units.pages.wallet.cpu, { sent: units.pages.wallet.bytes }),
      line("first visit's files", null, { sent: units.firstVisitBytes }),
      line("connect of a socket", units.connect),
      line("second of a socket", units.socketSecond.cpu, { sent: units.socketSecond.bytes }),
      line("message of the session to a socket", units.delivery, { sent: units.call.poolBytes }),
      ...units.call.curve.map(({ perSecond, cpu }) =>
        line(`call, ${at(perSecond)}`, cpu, { sent: units.call.bytes, ...sizes(units.call) }),
      ),
      line("call that is settled and paid", units.settled.cpu, {
        sent: units.settled.bytes,
        ...sizes(units.settled),
      }),
      line("event without calls", units.event.cpu, sizes(units.event)),
      line("new player", null, sizes(units.player)),
      line("session with ten events", null, sizes(units.session)),
      line("ledger entry (in the disk of a settled call)", null, { disk: units.entryBytes }),
      line("day without players", null, sizes(units.idleDay)),
    ],
    notes: [
      `Memory: a web process ${showBytes(units.memory.webBytes)}, a socket ${showBytes(units.memory.socketBytes)}, a worker ${showBytes(units.memory.workerBytes)}, Postgres ${showBytes(units.memory.postgresBytes)}, Redis ${showBytes(units.memory.redisBytes)}.`,
      `An event without calls has ${show(round(units.event.messages))} messages for its session.`,
    ],
  };
}

/** All assumptions with their flags. */
export function assumptionsTable(assumed: Assumptions): Table {
  const values = new Map<string, number>(Object.entries(assumed));
  const defaults = new Map<string, number>(Object.entries(readAssumptions([])));
  return {
    title: "Assumptions",
    rows: [
      ["flag", "value", "default", "unit", "what"],
      ...Object.entries(assumptionTexts).map(([name, [unit, about]]) => [
        flagOf(name),
        show(values.get(name) ?? Number.NaN),
        show(defaults.get(name) ?? Number.NaN),
        unit,
        about,
      ]),
    ],
    notes: [],
  };
}

/** The model beside what was measured. */
export function checkedTable(checked: readonly Checked[]): Table {
  return {
    title: "The model beside a measured show",
    rows: [
      ["players", "what", "model", "measured", "model to measured", "within 25 %"],
      ...checked.map((each) => [
        show(each.players),
        each.what,
        `${show(round(each.model))} ${each.unit}`.trim(),
        `${show(round(each.measured))} ${each.unit}`.trim(),
        `${(each.model / each.measured).toFixed(2)} x`,
        isClose(each) ? "yes" : "no",
      ]),
    ],
    notes: [],
  };
}

function round(number: number): number {
  return Math.abs(number) >= 100 ? Math.round(number) : Number(number.toPrecision(3));
}
