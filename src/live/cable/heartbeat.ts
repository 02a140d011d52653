import type { Server } from "bun";
import { serverNow } from "#src/base/server-clock.ts";
import { ping } from "./frames.ts";
import type { CableSocket, RegisteredConnection } from "./hub-api.ts";
import type { HubIntervals } from "./hub-intervals.ts";

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
    const [smallest] = this.#parts.toSorted((one, other) => one.connections.size - other.connections.size);
    if (smallest === undefined) return;
    smallest.connections.add(connection);
    socket.subscribe(smallest.topic);
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
