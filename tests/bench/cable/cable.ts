import path from "node:path";
import * as v from "valibot";
import { delivery } from "#src/cable/frames.ts";
import { ownVariables } from "#src/settings/env.ts";
import { broadcast, sessionStream } from "#src/streams/broadcast.ts";
import { findStreamOffsets } from "#src/streams/stream-offsets.ts";
import { buildPlayer, buildSession } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { openBenchDeps, type BenchDeps } from "../bench-deps.ts";
import { median, quantile } from "../numbers.ts";
import { show, showRatio, type Table } from "../table.ts";
import { frameLength, type ConnectOptions, CableClients } from "./cable-clients.ts";
import { type Measured, type ServerKind, serverKinds } from "./cable-server.ts";

/** `bun run bench cable 5000` opens 5,000 clients. */
const CLIENTS = process.argv.map(Number).find((count) => count > 0) ?? 1_000;
const ROUNDS = 12;
const SINGLES_PER_ROUND = 15;
const BURST = 20;
const BURSTS_PER_ROUND = 2;
const MESSAGE_BYTES = 64;
/** After this time the count of online players has been broadcast and no longer changes. */
const SETTLED_MS = 2_500;

const measuredSchema = v.object({ cpuMs: v.number(), memoryBytes: v.number() });
const serverMessageSchema = v.union([v.object({ port: v.number() }), measuredSchema]);

/** The measurements of one kind of server. */
type Results = {
  singleMs: number[];
  singleCpuMs: number;
  burstCpuMs: number;
  connectMs: number;
  perClientBytes: number;
};

/** A server in its own process. */
class Subject {
  readonly results: Results = {
    singleMs: [],
    singleCpuMs: 0,
    burstCpuMs: 0,
    connectMs: 0,
    perClientBytes: 0,
  };
  readonly #kind: ServerKind;
  readonly #child: Bun.Subprocess;
  /** Resolves when the server listens. */
  readonly #port = Promise.withResolvers<number>();
  readonly #waiting: ((measured: Measured) => void)[] = [];
  readonly #broadcastDirectly: Broadcast | null;
  #clients: CableClients | null = null;

  /** @param broadcastDirectly broadcasts without a message to the server. Returns the length of each frame in bytes. */
  constructor(kind: ServerKind, deps: BenchDeps, broadcastDirectly: Broadcast | null) {
    this.#kind = kind;
    this.#broadcastDirectly = broadcastDirectly;
    this.#child = Bun.spawn([process.execPath, path.join(import.meta.dir, "cable-server.ts"), kind], {
      env: { ...ownVariables(), ...settingsOf(deps) },
      ipc: (message) => {
        const parsed = v.parse(serverMessageSchema, message);
        if ("port" in parsed) this.#port.resolve(parsed.port);
        else this.#waiting.shift()?.(parsed);
      },
    });
  }

  async open(count: number, options: ConnectOptions): Promise<void> {
    const port = await this.#port.promise;
    const before = await this.#measure({ memory: true });
    const startMs = performance.now();
    this.#clients = await CableClients.open(port, count, options);
    this.results.connectMs = performance.now() - startMs;
    this.results.perClientBytes =
      ((await this.#measure({ memory: true })).memoryBytes - before.memoryBytes) / count;
  }

  /** Broadcasts one frame at a time, each when all clients have received the previous one. */
  async broadcastSingly(frames: readonly string[]): Promise<void> {
    const before = await this.#measure();
    for (const frame of frames) {
      const startMs = performance.now();
      await this.#broadcast([frame]);
      this.results.singleMs.push(performance.now() - startMs);
    }
    this.results.singleCpuMs += (await this.#measure()).cpuMs - before.cpuMs;
  }

  /** Broadcasts all frames at once. */
  async broadcastBurst(frames: readonly string[]): Promise<void> {
    const before = await this.#measure();
    await this.#broadcast(frames);
    this.results.burstCpuMs += (await this.#measure()).cpuMs - before.cpuMs;
  }

  close(): void {
    this.#clients?.close();
    this.#child.kill();
  }

  async #broadcast(frames: readonly string[]): Promise<void> {
    this.#clients?.reset();
    if (this.#broadcastDirectly === null) this.#child.send({ command: "broadcast", texts: frames });
    const lengths =
      this.#broadcastDirectly === null
        ? frames.map((frame) => this.#lengthOf(frame))
        : await this.#broadcastDirectly(frames);
    await this.#clients?.received(lengths.reduce((sum, length) => sum + length, 0));
  }

  /** Socket.IO wraps the text in an event. */
  #lengthOf(frame: string): number {
    return frameLength(this.#kind === "socket.io" ? `42${JSON.stringify(["m", frame])}` : frame);
  }

  #measure({ memory = false } = {}): Promise<Measured> {
    this.#child.send({ command: "measure", memory });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
type Broadcast = (frames: readonly string[]) => Promise<number[]>;

/** `bun run bench cable` */
export async function benchCable(): Promise<Table> {
  const deps = await openBenchDeps();
  const session = await buildSession(deps);
  const { cookie = "" } = await signInDirectly(deps, await buildPlayer(deps));
  const stream = sessionStream(session.id);
  const identifier = JSON.stringify({ channel: "SessionsChannel", id: session.id });
  const message = { sourceType: "Filler", text: "x".repeat(MESSAGE_BYTES) };
  const text = JSON.stringify(message);
  const [{ epoch } = { epoch: "" }] = await findStreamOffsets(deps.redis, [stream]);
  const sampleOffset = { epoch, offset: 100 };
  const frame = delivery("plain", identifier, {
    stream,
    message: { ...sampleOffset, text: JSON.stringify({ ...sampleOffset, ...message }) },
  });
  const broadcastCalledIt: Broadcast = async (frames) => {
    const [current = { epoch: "", offset: 0 }] = await findStreamOffsets(deps.redis, [stream]);
    void broadcast(
      deps.redis,
      frames.map(() => ({ stream, text })),
    );
    return frames.map((_, index) => {
      const at = { epoch: current.epoch, offset: current.offset + index + 1 };
      const stored = { ...at, text: JSON.stringify({ ...at, ...message }) };
      return frameLength(delivery("plain", identifier, { stream, message: stored }));
    });
  };
  const subjects = new Map(
    serverKinds.map((kind) => [
      kind,
      new Subject(kind, deps, kind === "called-it" ? broadcastCalledIt : null),
    ]),
  );
  try {
    for (const [kind, subject] of subjects)
      await subject.open(CLIENTS, connectOptionsOf(kind, { cookie, identifier }));
    await Bun.sleep(SETTLED_MS);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const subject of subjects.values()) await runRound(subject, frame);
    }
    return tableOf(new Map([...subjects].map(([kind, { results }]) => [kind, results])));
  } finally {
    for (const subject of subjects.values()) subject.close();
    await deps.close();
  }
}

async function runRound(subject: Subject, frame: string): Promise<void> {
  await subject.broadcastSingly(Array.from({ length: SINGLES_PER_ROUND }, () => frame));
  for (let burst = 0; burst < BURSTS_PER_ROUND; burst += 1)
    await subject.broadcastBurst(Array.from({ length: BURST }, () => frame));
}

function connectOptionsOf(
  kind: ServerKind,
  { cookie, identifier }: { cookie: string; identifier: string },
): ConnectOptions {
  const paths = { "called-it": "/cable", "socket.io": "/socket.io/?EIO=4&transport=websocket" };
  const target = kind === "called-it" || kind === "socket.io" ? paths[kind] : "/";
  const head = [
    `GET ${target} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Origin: http://127.0.0.1",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    `Cookie: ${cookie}`,
    "\r\n",
  ].join("\r\n");
  if (kind === "called-it") {
    const subscribe = JSON.stringify({ command: "subscribe", identifier });
    return { head, commands: [subscribe], ready: "confirm_subscription" };
  }
  return { head, commands: kind === "socket.io" ? ["40"] : [], ready: "ready" };
}

function settingsOf({ env }: BenchDeps): Record<string, string> {
  return {
    DATA_DIR: env.dataDir,
    DATABASE_URL: env.databaseUrl,
    REDIS_URL: env.redisUrl,
    SECRET_KEY: env.secretKey,
    LOG_LEVEL: "error",
    DEMO: "off",
    RATE_LIMITS: "off",
  };
}

function tableOf(results: ReadonlyMap<ServerKind, Results>): Table {
  const bare = results.get("bare Bun");
  if (bare === undefined) throw new Error("nothing to compare with");
  const perDelivery = (cpuMs: number, messages: number) => (cpuMs * 1_000) / (messages * ROUNDS * CLIENTS);
  const rows = [...results].map(([kind, each]) => [
    kind,
    show(perDelivery(each.singleCpuMs, SINGLES_PER_ROUND)),
    showRatio(bare.singleCpuMs / each.singleCpuMs),
    show(perDelivery(each.burstCpuMs, BURST * BURSTS_PER_ROUND)),
    showRatio(bare.burstCpuMs / each.burstCpuMs),
    show(median(each.singleMs)),
    show(quantile(each.singleMs, 0.99)),
    showRatio(quantile(each.singleMs, 0.99) / quantile(bare.singleMs, 0.99)),
    show(each.perClientBytes / 1_024),
    showRatio(bare.connectMs / each.connectMs),
  ]);
  return {
    title: `cable: ${show(CLIENTS)} sockets on one stream, messages of ${MESSAGE_BYTES} bytes, all frames of the same size`,
    rows: [
      ["", "us single", "", "us in bursts", "", "p50 ms", "p99 ms", "", "KiB per socket", "connects"],
      ...rows,
    ],
    notes: [
      "us: the server's CPU time per delivery. The ratio beside it: deliveries per CPU second, compared with bare Bun.",
      "Goals: at least 0.9 x for single messages and 1 x in bursts; p99 at most 1.2 x; connects at least 0.6 x.",
      "`ws` is Bun's own implementation of that package; Socket.IO uses it.",
      "called-it receives each message from Redis, which gives it an offset and stores it in the history.",
    ],
  };
}
