import { broadcast, sessionStream } from "#src/base/streams/broadcast.ts";
import { findStreamOffsets } from "#src/base/streams/stream-offsets.ts";
import { delivery } from "#src/live/cable/frames.ts";
import { buildSession } from "#tests/support/build.ts";
import { type BenchDeps, openBenchDeps } from "../bench-deps.ts";
import { interleave } from "../harness.ts";
import { atLeast, atMost, median, quantile, show, showRatio, type Table } from "../table.ts";
import { frameLength } from "./cable-clients.ts";
import { type ServerKind, serverKinds } from "./cable-server.ts";
import { signInMany } from "./sign-in-many.ts";
import { benchStorm } from "./storm.ts";
import { type Broadcast, Subject, type Timed } from "./subject.ts";

/** `bun run bench cable 5000` opens 5,000 clients. */
const CLIENTS = process.argv.map(Number).find((count) => count > 0) ?? 1_000;
const CONNECT_ROUNDS = 9;
const ROUNDS = 12;
const SINGLES_PER_ROUND = 15;
const SMALL_BYTES = 64;
const LARGE_BYTES = 1_024;
/** After this time the count of online players has been broadcast and no longer changes. */
const SETTLED_MS = 2_500;

/** `bun run bench cable` */
export async function benchCable(): Promise<Table[]> {
  const deps = await openBenchDeps();
  try {
    return [...(await benchServers(deps)), await benchStorm(deps)];
  } finally {
    await deps.close();
  }
}

async function benchServers(deps: BenchDeps): Promise<Table[]> {
  const cookies = (await signInMany(deps, CLIENTS)).map(({ cookie }) => cookie);
  const session = await buildSession(deps);
  const messages = createMessages(deps, session.id);
  const { identifier } = messages;
  const subjects = serverKinds.map(
    (kind) => new Subject(kind, deps, { broadcast: messages.broadcast, cookies, identifier }),
  );
  try {
    const connects = await measureConnects(subjects);
    await Bun.sleep(SETTLED_MS);
    const deliveries: Table[] = [];
    for (const bytes of [SMALL_BYTES, LARGE_BYTES]) {
      messages.bytes = bytes;
      const measured = await measureDeliveries(subjects, messages.exampleFrame());
      deliveries.push(deliveriesTable(measured, { clients: CLIENTS, bytes }));
    }
    return [connectsTable(connects, CLIENTS), ...deliveries];
  } finally {
    for (const subject of subjects) await subject.close();
  }
}

/** The messages of a session, whose frames are of the same size for all servers. */
function createMessages(deps: BenchDeps, sessionId: number) {
  const stream = sessionStream(sessionId);
  const identifier = JSON.stringify({ channel: "SessionsChannel", id: sessionId });
  const state = { bytes: SMALL_BYTES };
  const current = async () => (await findStreamOffsets(deps.redis, [stream]))[0] ?? { epoch: "", offset: 0 };
  let sent: { epoch: string; offset: number } | null = null;
  const frameAt = (at: { epoch: string; offset: number }) => {
    const text = JSON.stringify({ ...at, ...contentOf(state.bytes) });
    return delivery("plain", identifier, { stream, message: { ...at, text } });
  };
  const broadcastOne: Broadcast = async () => {
    sent ??= await current();
    sent.offset += 1;
    void broadcast(deps.redis, [{ stream, text: JSON.stringify(contentOf(state.bytes)) }]);
    return frameLength(frameAt(sent));
  };
  return Object.assign(state, {
    identifier,
    broadcast: broadcastOne,
    exampleFrame: () => frameAt({ epoch: sent?.epoch ?? "0".repeat(12), offset: 100 }),
  });
}

function contentOf(bytes: number): object {
  return { sourceType: "Filler", text: "x".repeat(bytes) };
}

async function measureConnects(subjects: readonly Subject[]): Promise<Map<ServerKind, Connects>> {
  const results = new Map<ServerKind, Connects>();
  for (const subject of subjects) {
    const before = await subject.memoryBytes();
    const first = await subject.open(CLIENTS);
    const perClientBytes = ((await subject.memoryBytes()) - before) / CLIENTS;
    results.set(subject.kind, { rounds: [first], perClientBytes });
    await subject.leave();
  }
  for (let round = 1; round < CONNECT_ROUNDS; round += 1)
    for (const subject of subjects) {
      results.get(subject.kind)?.rounds.push(await subject.open(CLIENTS));
      if (round + 1 < CONNECT_ROUNDS) await subject.leave();
    }
  return results;
}

async function measureDeliveries(
  subjects: readonly Subject[],
  frame: string,
): Promise<Map<ServerKind, Timed[]>> {
  const rounds = await interleave(
    subjects.map((subject) => () => subject.broadcastSingly(frame, SINGLES_PER_ROUND)),
    { rounds: ROUNDS },
  );
  return new Map(subjects.map(({ kind }, index) => [kind, rounds[index] ?? []]));
}

/** The rounds of connecting all clients of a server. The first one is also the one after which the memory was measured. */
type Connects = { rounds: Timed[]; perClientBytes: number };
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
function connectsTable(results: ReadonlyMap<ServerKind, Connects>, clients: number): Table {
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

function deliveriesTable(results: ReadonlyMap<ServerKind, Timed[]>, { clients, bytes }: Sent): Table {
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
