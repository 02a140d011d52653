import path from "node:path";
import * as v from "valibot";
import { delivery } from "#src/cable/frames.ts";
import { ownVariables } from "#src/settings/env.ts";
import { broadcast, sessionStream } from "#src/streams/broadcast.ts";
import { findStreamOffsets } from "#src/streams/stream-offsets.ts";
import { buildPlayer, buildSession } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/visitor.ts";
import { openBenchDeps, type BenchDeps } from "./bench-deps.ts";
import { frameLength, type Manner, Peers } from "./cable-peers.ts";
import { type Measured, type ServerKind, serverKinds } from "./cable-server.ts";
import { median, quantile } from "./numbers.ts";
import { show, showRatio, type Table } from "./table.ts";

/** `bun run bench cable 5000` opens so many. */
const PEERS = process.argv.map(Number).find((count) => count > 0) ?? 1_000;
const ROUNDS = 12;
const ALONE_A_ROUND = 15;
const BURST = 20;
const BURSTS_A_ROUND = 2;
const MESSAGE_BYTES = 64;
/** By then the count of players was told, and is told no more. */
const SETTLED_MS = 2_500;

const measured = v.object({ cpuMs: v.number(), memoryBytes: v.number() });
const answer = v.union([v.object({ port: v.number() }), measured]);

/** What a kind of server was found to take. */
type Results = {
  aloneMs: number[];
  aloneCpuMs: number;
  burstCpuMs: number;
  connectMs: number;
  perPeerBytes: number;
};

/** A server in a process of its own, and how it is told to publish. */
class Subject {
  readonly results: Results = { aloneMs: [], aloneCpuMs: 0, burstCpuMs: 0, connectMs: 0, perPeerBytes: 0 };
  readonly #kind: ServerKind;
  readonly #child: Bun.Subprocess;
  /** Comes by itself, once it listens. */
  readonly #port = Promise.withResolvers<number>();
  readonly #waiting: ((measured: Measured) => void)[] = [];
  readonly #tell: Publish | null;
  #peers: Peers | null = null;

  /** @param tell publishes another way than by asking the server; answers how long each frame is. */
  constructor(kind: ServerKind, stand: BenchDeps, tell: Publish | null) {
    this.#kind = kind;
    this.#tell = tell;
    this.#child = Bun.spawn([process.execPath, path.join(import.meta.dir, "cable-server.ts"), kind], {
      env: { ...ownVariables(), ...settingsOf(stand) },
      ipc: (message) => {
        const heard = v.parse(answer, message);
        if ("port" in heard) this.#port.resolve(heard.port);
        else this.#waiting.shift()?.(heard);
      },
    });
  }

  async open(count: number, manner: Manner): Promise<void> {
    const port = await this.#port.promise;
    const before = await this.#measure({ memory: true });
    const startMs = performance.now();
    this.#peers = await Peers.open(port, count, manner);
    this.results.connectMs = performance.now() - startMs;
    this.results.perPeerBytes =
      ((await this.#measure({ memory: true })).memoryBytes - before.memoryBytes) / count;
  }

  /** Publishes one after the other, each when everybody has the one before. */
  async alone(frames: readonly string[]): Promise<void> {
    const before = await this.#measure();
    for (const frame of frames) {
      const startMs = performance.now();
      await this.#publish([frame]);
      this.results.aloneMs.push(performance.now() - startMs);
    }
    this.results.aloneCpuMs += (await this.#measure()).cpuMs - before.cpuMs;
  }

  async burst(frames: readonly string[]): Promise<void> {
    const before = await this.#measure();
    await this.#publish(frames);
    this.results.burstCpuMs += (await this.#measure()).cpuMs - before.cpuMs;
  }

  close(): void {
    this.#peers?.close();
    this.#child.kill();
  }

  async #publish(frames: readonly string[]): Promise<void> {
    this.#peers?.reset();
    if (this.#tell === null) this.#child.send({ do: "publish", texts: frames });
    const lengths =
      this.#tell === null ? frames.map((frame) => this.#lengthOf(frame)) : await this.#tell(frames);
    await this.#peers?.sent(lengths.reduce((sum, length) => sum + length, 0));
  }

  /** Socket.IO puts what it is given into an event of its own. */
  #lengthOf(frame: string): number {
    return frameLength(this.#kind === "socket.io" ? `42${JSON.stringify(["m", frame])}` : frame);
  }

  #measure({ memory = false } = {}): Promise<Measured> {
    this.#child.send({ do: "measure", memory });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
type Publish = (frames: readonly string[]) => Promise<number[]>;

/** `bun run bench cable` */
export async function benchCable(): Promise<Table> {
  const stand = await openBenchDeps();
  const session = await buildSession(stand);
  const { cookie = "" } = await signInDirectly(stand, await buildPlayer(stand));
  const stream = sessionStream(session.id);
  const identifier = JSON.stringify({ channel: "SessionsChannel", id: session.id });
  const message = { sourceType: "Filler", text: "x".repeat(MESSAGE_BYTES) };
  const text = JSON.stringify(message);
  const [{ epoch } = { epoch: "" }] = await findStreamOffsets(stand.redis, [stream]);
  const usual = { epoch, offset: 100 };
  const frame = delivery("plain", identifier, {
    stream,
    message: { ...usual, text: JSON.stringify({ ...usual, ...message }) },
  });
  const tellOurs: Publish = async (frames) => {
    const [place = { epoch: "", offset: 0 }] = await findStreamOffsets(stand.redis, [stream]);
    void broadcast(
      stand.redis,
      frames.map(() => ({ stream, text })),
    );
    return frames.map((_, index) => {
      const at = { epoch: place.epoch, offset: place.offset + index + 1 };
      const placed = { ...at, text: JSON.stringify({ ...at, ...message }) };
      return frameLength(delivery("plain", identifier, { stream, message: placed }));
    });
  };
  const subjects = new Map(
    serverKinds.map((kind) => [kind, new Subject(kind, stand, kind === "called-it" ? tellOurs : null)]),
  );
  try {
    for (const [kind, subject] of subjects) await subject.open(PEERS, mannerOf(kind, { cookie, identifier }));
    await Bun.sleep(SETTLED_MS);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const subject of subjects.values()) await playRound(subject, frame);
    }
    return tableOf(new Map([...subjects].map(([kind, { results: found }]) => [kind, found])));
  } finally {
    for (const subject of subjects.values()) subject.close();
    await stand.close();
  }
}

async function playRound(subject: Subject, frame: string): Promise<void> {
  await subject.alone(Array.from({ length: ALONE_A_ROUND }, () => frame));
  for (let burst = 0; burst < BURSTS_A_ROUND; burst += 1)
    await subject.burst(Array.from({ length: BURST }, () => frame));
}

function mannerOf(kind: ServerKind, { cookie, identifier }: { cookie: string; identifier: string }): Manner {
  const at = { "called-it": "/cable", "socket.io": "/socket.io/?EIO=4&transport=websocket" };
  const asked = kind === "called-it" || kind === "socket.io" ? at[kind] : "/";
  const head = [
    `GET ${asked} HTTP/1.1`,
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
    return { head, says: [subscribe], ready: "confirm_subscription" };
  }
  return { head, says: kind === "socket.io" ? ["40"] : [], ready: "ready" };
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

function tableOf(found: ReadonlyMap<ServerKind, Results>): Table {
  const bare = found.get("bare Bun");
  if (bare === undefined) throw new Error("nothing to compare with");
  const perDelivery = (cpuMs: number, messages: number) => (cpuMs * 1_000) / (messages * ROUNDS * PEERS);
  const rows = [...found].map(([kind, one]) => [
    kind,
    show(perDelivery(one.aloneCpuMs, ALONE_A_ROUND)),
    showRatio(bare.aloneCpuMs / one.aloneCpuMs),
    show(perDelivery(one.burstCpuMs, BURST * BURSTS_A_ROUND)),
    showRatio(bare.burstCpuMs / one.burstCpuMs),
    show(median(one.aloneMs)),
    show(quantile(one.aloneMs, 0.99)),
    showRatio(quantile(one.aloneMs, 0.99) / quantile(bare.aloneMs, 0.99)),
    show(one.perPeerBytes / 1_024),
    showRatio(bare.connectMs / one.connectMs),
  ]);
  return {
    title: `cable: ${show(PEERS)} sockets on one stream, messages of ${MESSAGE_BYTES} bytes in frames of one size`,
    rows: [
      ["", "us alone", "", "us in bursts", "", "p50 ms", "p99 ms", "", "KiB a socket", "connects"],
      ...rows,
    ],
    notes: [
      "us: the server's CPU for one delivery; beside it deliveries per CPU second against bare Bun.",
      "Goal: at least 0.9 x alone and 1 x in bursts; p99 at most 1.2 x; connects at least 0.6 x.",
      "`ws` is what Bun runs under that name, and Socket.IO stands on it.",
      "Ours hears each message from Redis, where it was given its place and is remembered.",
    ],
  };
}
