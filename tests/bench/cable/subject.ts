import * as v from "valibot";
import { ownVariables } from "#src/settings/env.ts";
import type { BenchDeps } from "../bench-deps.ts";
import { type Helper, startHelper } from "../harness.ts";
import { CableClients, type ConnectOptions, frameLength, handshakeHead } from "./cable-clients.ts";
import type { Measured, ServerKind } from "./cable-server.ts";

const measuredSchema = v.object({ cpuMs: v.number(), memoryBytes: v.number() });
/** Until the server has noticed that its clients are gone. */
const LEFT_MS = 1_000;

/** What happened while a server was measured: how long each step took, and the CPU time of the server. */
export type Timed = { tookMs: number[]; cpuMs: number };
/** Broadcasts a message without the server. @returns the length of its frame in bytes. */
export type Broadcast = () => Promise<number>;

/** A server in its own process, and its clients. */
export class Subject {
  readonly kind: ServerKind;
  readonly #helper: Helper;
  /** Resolves when the server listens. */
  readonly #port: Promise<number>;
  readonly #broadcastDirectly: Broadcast | null;
  readonly #optionsAt: (port: number) => ConnectOptions;
  #clients: CableClients | null = null;

  constructor(
    kind: ServerKind,
    deps: BenchDeps,
    {
      broadcast,
      cookies,
      identifier,
    }: { broadcast: Broadcast; cookies: readonly string[]; identifier: string },
  ) {
    this.kind = kind;
    this.#broadcastDirectly = kind === "called-it" ? broadcast : null;
    this.#optionsAt = (port) => connectOptionsOf(kind, { port, cookies, identifier });
    this.#helper = startHelper("cable/cable-server.ts", {
      words: [kind],
      variables: { ...ownVariables(), ...settingsOf(deps) },
    });
    this.#port = this.#helper.next().then((message) => v.parse(v.object({ port: v.number() }), message).port);
  }

  /** Connects clients, and waits until all are subscribed. */
  async open(count: number): Promise<Timed> {
    const port = await this.#port;
    const before = await this.#measure();
    const startMs = performance.now();
    this.#clients = await CableClients.open(port, count, this.#optionsAt(port));
    const tookMs = [performance.now() - startMs];
    return { tookMs, cpuMs: (await this.#measure()).cpuMs - before.cpuMs };
  }

  async leave(): Promise<void> {
    this.#clients?.close();
    await Bun.sleep(LEFT_MS);
  }

  /** The memory of the server after a garbage collection. */
  async memoryBytes(): Promise<number> {
    await this.#port;
    return (await this.#measure({ memory: true })).memoryBytes;
  }

  /** Broadcasts a frame so many times, each time when all clients have received it before. */
  async broadcastSingly(frame: string, times: number): Promise<Timed> {
    const before = await this.#measure();
    const tookMs: number[] = [];
    while (tookMs.length < times) {
      const startMs = performance.now();
      await this.#broadcast(frame);
      tookMs.push(performance.now() - startMs);
    }
    return { tookMs, cpuMs: (await this.#measure()).cpuMs - before.cpuMs };
  }

  async close(): Promise<void> {
    this.#clients?.close();
    await this.#helper.stop();
  }

  async #broadcast(frame: string): Promise<void> {
    this.#clients?.reset();
    if (this.#broadcastDirectly === null) this.#helper.tell({ command: "broadcast", text: frame });
    await this.#clients?.received((await this.#broadcastDirectly?.()) ?? frameLength(frame));
  }

  async #measure({ memory = false } = {}): Promise<Measured> {
    return v.parse(measuredSchema, await this.#helper.ask({ command: "measure", memory }));
  }
}

function connectOptionsOf(
  kind: ServerKind,
  { port, cookies, identifier }: { port: number; cookies: readonly string[]; identifier: string },
): ConnectOptions {
  const target = kind === "called-it" ? "/cable" : "/";
  const head = (index: number) => handshakeHead(target, port, cookies[index % cookies.length] ?? "");
  if (kind !== "called-it") return { head, commands: [], ready: "ready" };
  const subscribe = JSON.stringify({ command: "subscribe", identifier });
  return { head, commands: [subscribe], ready: "confirm_subscription" };
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
