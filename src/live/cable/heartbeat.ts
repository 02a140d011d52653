import type { Server } from "bun";
import type { RedisClient } from "#src/base/redis.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { broadcastControl } from "#src/base/streams/broadcast.ts";
import { ping } from "./frames.ts";
import type { CableSocket, HubIntervals, RegisteredConnection } from "./hub-api.ts";

/** To ping 8,000 sockets takes 43 ms. So each part of them has its turn, and what players do is answered in between. */
const PARTS = 10;

type Part = { topic: string; connections: Set<RegisteredConnection> };

/** Pings the sockets of this process, as Action Cable does and as WebSocket does. */
export class Heartbeat {
  readonly #parts: readonly Part[] = Array.from({ length: PARTS }, (_, number) => ({
    topic: `ping ${number}`,
    connections: new Set(),
  }));
  readonly #receives: () => boolean;
  readonly #timers: Timer[] = [];
  #added = 0;

  /** @param receives whether messages can arrive. A ping says so to its client: there is none while they cannot. */
  constructor(receives: () => boolean) {
    this.#receives = receives;
  }

  start(
    server: Server<unknown>,
    { pingMs, probeMs, pongDeadlineMs }: Pick<HubIntervals, "pingMs" | "probeMs" | "pongDeadlineMs">,
  ): void {
    this.#inTurn(pingMs, ({ topic }) => {
      if (this.#receives()) server.publish(topic, ping(serverNow().getTime()));
    });
    this.#inTurn(probeMs, ({ connections }) => {
      for (const connection of connections) connection.probe(Date.now(), pongDeadlineMs);
    });
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  add(connection: RegisteredConnection, socket: CableSocket): void {
    const part = this.#parts[this.#added % PARTS];
    this.#added += 1;
    part?.connections.add(connection);
    if (part !== undefined) socket.subscribe(part.topic);
  }

  remove(connection: RegisteredConnection): void {
    for (const { connections } of this.#parts) connections.delete(connection);
  }

  /** Each part has its turn once in this time. */
  #inTurn(everyMs: number, act: (part: Part) => void): void {
    let turns = 0;
    const next = () => {
      const part = this.#parts[turns % PARTS];
      turns += 1;
      if (part !== undefined) act(part);
    };
    this.#timers.push(setInterval(next, everyMs / PARTS));
  }
}

// Decision: a process says "In sync" only while it hears what it says itself, through Redis and back. So whatever makes it deaf counts,
// also what no connection reports: lost packets, a frozen Redis, a proxy that leads to another one.

const HEARTBEAT_EVERY_MS = 1_000;
const DEAF_AFTER_MS = 3_000;
/** No stream has this name: processes of all releases hear the message, and send it to nobody. */
const HEARTBEAT = { stream: "cable:heartbeat", message: {} };

/** Whether this process hears. All processes hear each other's heartbeats, so one that has just heard one sends none. */
export class Hearing {
  readonly #redis: RedisClient;
  #heardAtMs = performance.now();
  #timer: Timer | undefined;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  start(): void {
    this.#heardAtMs = performance.now();
    this.#timer ??= setInterval(() => this.#beat(), HEARTBEAT_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A control message has arrived. */
  heard(): void {
    this.#heardAtMs = performance.now();
  }

  /** True if nothing was heard for 3 s. */
  get isDeaf(): boolean {
    return this.#timer !== undefined && performance.now() - this.#heardAtMs > DEAF_AFTER_MS;
  }

  #beat(): void {
    if (performance.now() - this.#heardAtMs < HEARTBEAT_EVERY_MS / 2) return;
    // While Redis is away nothing is heard, which is what it says.
    broadcastControl(this.#redis, HEARTBEAT).catch(() => undefined);
  }
}
