import { atLeast, atMost, median, quantile, show, showRatio, type Table } from "../table.ts";
import type { ServerKind } from "./cable-server.ts";
import type { Timed } from "./subject.ts";

/** The rounds of connecting all clients of a server. The first one is also the one after which the memory was measured. */
export type Connects = { rounds: Timed[]; perClientBytes: number };
/** From so many clients on the memory of a socket has a goal. */
const MEMORY_CLIENTS = 5_000;

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const timesOf = (timed: readonly Timed[]) => timed.flatMap(({ tookMs }) => tookMs);
const cpuOf = (timed: readonly Timed[]) => sum(timed.map(({ cpuMs }) => cpuMs));

function find<Result>(results: ReadonlyMap<ServerKind, Result>, kind: ServerKind): Result {
  const found = results.get(kind);
  if (found === undefined) throw new Error(`${kind} was not measured`);
  return found;
}

/** The first round is left out: it compiles the code. */
export function connectsTable(results: ReadonlyMap<ServerKind, Connects>, clients: number): Table {
  const perSecond = ({ rounds }: Connects) => (1_000 * clients) / median(timesOf(rounds.slice(1)));
  const perConnectUs = ({ rounds }: Connects) =>
    (cpuOf(rounds.slice(1)) * 1_000) / (clients * (rounds.length - 1));
  const kib = ({ perClientBytes }: Connects) => perClientBytes / 1_024;
  const [bare, own] = [find(results, "bare Bun"), find(results, "called-it")];
  return {
    title: `cable: connecting ${show(clients)} browsers, 64 at once, until all are subscribed`,
    rows: [
      ["", "first", "a second", "", "us", "", "KiB per socket"],
      ...[...results].map(([kind, each]) => [
        kind,
        show((1_000 * clients) / (timesOf(each.rounds)[0] ?? Number.NaN)),
        show(perSecond(each)),
        showRatio(perSecond(each) / perSecond(bare)),
        show(perConnectUs(each)),
        showRatio(perConnectUs(bare) / perConnectUs(each)),
        show(kib(each)),
      ]),
    ],
    goals: [
      atLeast(0.4, {
        what: "connects, beside bare Bun",
        measured: perSecond(own) / perSecond(bare),
        unit: "x",
      }),
      // With fewer clients, what the process uses once is most of it.
      ...(clients < MEMORY_CLIENTS
        ? []
        : [atMost(5, { what: "memory of a socket", measured: kib(own), unit: "KiB" })]),
    ],
    notes: [
      "first: connects a second of a process that has just started. us: the server's CPU time per connect.",
      "Each client of called-it has a sign-in of its own, which is looked up, and subscribes to the session.",
    ],
  };
}

type Sent = { clients: number; bytes: number };

export function deliveriesTable(results: ReadonlyMap<ServerKind, Timed[]>, { clients, bytes }: Sent): Table {
  const bare = find(results, "bare Bun");
  const p99Of = (timed: readonly Timed[]) => quantile(timesOf(timed), 0.99);
  const cells = (timed: readonly Timed[]) => [
    show((cpuOf(timed) * 1_000) / (timesOf(timed).length * clients)),
    showRatio(cpuOf(bare) / cpuOf(timed)),
    show(median(timesOf(timed))),
    show(p99Of(timed)),
    showRatio(p99Of(timed) / p99Of(bare)),
  ];
  const own = find(results, "called-it");
  const p99 = p99Of(own) / p99Of(bare);
  const single = cpuOf(bare) / cpuOf(own);
  return {
    title: `cable: ${show(clients)} sockets on one stream, messages of ${show(bytes)} bytes, all frames of the same size`,
    rows: [
      ["", "us", "", "p50 ms", "p99 ms", ""],
      ...[...results].map(([kind, each]) => [kind, ...cells(each)]),
    ],
    goals: [
      atLeast(0.9, {
        what: `single messages of ${bytes} bytes, beside bare Bun`,
        measured: single,
        unit: "x",
      }),
      atMost(1.4, { what: `p99 of messages of ${bytes} bytes, beside bare Bun`, measured: p99, unit: "x" }),
    ],
    notes: [
      "us: the server's CPU time per delivery. The ratio beside it: deliveries per CPU second, compared with bare Bun.",
      "called-it receives each message from Redis, which gives it an offset and stores it in the history.",
    ],
  };
}
