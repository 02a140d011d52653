import type { Server } from "bun";
import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { CONTROL_CHANNEL, type SocketOwner } from "#src/streams/broadcast.ts";
import { Attendance } from "./attendance.ts";
import { historyFrames } from "./catch-up.ts";
import { admit } from "./channels.ts";
import { Connection } from "./connection.ts";
import type { Caller, CableSocket, Desk, Peer, Seat } from "./desk.ts";
import { Fanout, followerOf, topicOf } from "./fanout.ts";
import { findEndedSignIns } from "./find-ended-sign-ins.ts";
import { ping } from "./frames.ts";
import { findKept, keepConnection } from "./kept-connections.ts";
import { parseJson } from "./parse-command.ts";
import { performAction } from "./perform-action.ts";
import { Presence } from "./presence.ts";
import { Streams } from "./streams.ts";

const PING_TOPIC = "ping";
/** Goodbyes are spread over this long at most, so that not everybody comes back at once. */
const GOODBYES_MS = 2_000;
const GOODBYE_EACH_MS = 4;

/** How often what happens, in milliseconds. */
export type Rhythm = {
  pingMs: number;
  probeMs: number;
  pongDeadlineMs: number;
  /** Whether the sign-ins still stand. */
  checkMs: number;
  /** Who reads slowly. */
  watchMs: number;
};
const usualRhythm: Rhythm = {
  pingMs: 3_000,
  probeMs: 15_000,
  pongDeadlineMs: 40_000,
  checkMs: 30_000,
  watchMs: 250,
};

const announcement = v.union([
  v.object({ userId: v.number() }),
  v.object({ signInId: v.string() }),
  v.object({ stream: v.string(), presence: v.looseObject({}) }),
]);

export type HubDeps = Pick<Deps, "env" | "pool" | "redis" | "log" | "notifyRelay">;

/** The sockets of this process, and what they listen to. */
export class Hub {
  readonly #deps: HubDeps;
  readonly #rhythm: Rhythm;
  readonly #connections = new Set<Caller>();
  readonly #fanout = new Fanout();
  readonly #streams: Streams;
  readonly #presence: Presence;
  readonly #attendance: Attendance;
  readonly #desk: Desk;
  readonly #timers: Timer[] = [];
  #server: Server<unknown> | null = null;
  #stopping = false;

  constructor(deps: HubDeps, rhythm: Rhythm) {
    this.#deps = deps;
    this.#rhythm = rhythm;
    this.#presence = new Presence(deps);
    this.#attendance = new Attendance(deps);
    this.#streams = new Streams(deps, {
      channel: CONTROL_CHANNEL,
      announce: (text) => this.#hearAnnounced(text),
      deliver: (stream, follower, heard) => this.#fanout.deliver(stream, follower, heard),
    });
    this.#desk = {
      enter: (connection, socket) => this.#enter(connection, socket),
      leave: (connection) => this.#connections.delete(connection),
      admit: (viewer, identifier) => admit(deps.pool.db, viewer, identifier),
      follow: (seat) => this.#follow(seat),
      unfollow: (seat) => this.#unfollow(seat),
      perform: (seat, data) => performAction(deps, { ...seat, viewer: seat.peer.viewer }, data),
      history: ({ identifier, admission: { stream, more } }, wish) =>
        historyFrames(deps.redis, { identifier, streams: [stream, ...more], wish }),
      keep: (peer, identifiers) => keepConnection(deps, peer, identifiers),
      findKept: (peer) => findKept(deps.redis, peer),
      attendance: this.#attendance,
      slowPeers: this.#fanout.slowPeers,
      log: deps.log,
    };
  }

  /** True from `stop` on: nobody is to be let in any more. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /** How many sockets there are, and how many of them read more slowly than they are told. */
  get load(): { sockets: number; slow: number } {
    return { sockets: this.#connections.size, slow: this.#fanout.slowPeers.size };
  }

  /** Makes ready for a socket of `server`: listens in Redis, starts the timers. Returns at once. */
  attach(server: Server<unknown>): void {
    if (this.#server !== null) return;
    this.#server = server;
    this.#fanout.attach(server);
    this.#streams.start();
    this.#presence.start();
    this.#attendance.start();
    const { pingMs, probeMs, pongDeadlineMs, checkMs, watchMs } = this.#rhythm;
    this.#timers.push(
      setInterval(() => server.publish(PING_TOPIC, ping(Date.now())), pingMs),
      setInterval(() => this.#probe(pongDeadlineMs), probeMs),
      setInterval(() => void this.#checkSignIns(), checkMs),
      setInterval(() => this.#watch(), watchMs),
    );
  }

  /** What the server calls for a socket that is about to be opened. */
  connection(peer: Omit<Peer, "sid">): Connection {
    return new Connection(this.#desk, { ...peer, sid: crypto.randomUUID() });
  }

  /** Sends everybody away with server_restart, spread over up to 2 s, and lets go of Redis. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#fanout.flush();
    const stepMs = Math.min(GOODBYE_EACH_MS, GOODBYES_MS / Math.max(1, this.#connections.size));
    const startMs = performance.now();
    let told = 0;
    for (const connection of this.#connections) {
      told += 1;
      const aheadMs = startMs + told * stepMs - performance.now();
      if (aheadMs > 1) await Bun.sleep(aheadMs);
      connection.disconnect("server_restart");
    }
    for (const timer of this.#timers) clearInterval(timer);
    this.#attendance.stop();
    await this.#presence.stop();
    this.#streams.stop();
  }

  #enter(connection: Caller, socket: CableSocket): void {
    this.#connections.add(connection);
    socket.subscribe(PING_TOPIC);
    // It was being let in while we said goodbye to the others.
    if (this.#stopping) connection.disconnect("server_restart");
  }

  async #follow(seat: Seat): Promise<string[]> {
    const { stream, more, sessionId } = seat.admission;
    const follower = followerOf(seat);
    const streams = [stream, ...more];
    for (const one of streams) await this.#streams.follow(one, follower);
    if (sessionId !== null) this.#presence.enter(sessionId, seat.peer.viewer.id);
    return streams.map((one) => topicOf(one, follower));
  }

  #unfollow(seat: Seat): void {
    const { stream, more, sessionId } = seat.admission;
    for (const one of [stream, ...more]) this.#streams.unfollow(one, followerOf(seat));
    if (seat.peer.wire === "ext") void this.#attendance.leave(seat);
    if (sessionId !== null) this.#presence.leave(sessionId, seat.peer.viewer.id);
  }

  #watch(): void {
    for (const connection of this.#connections) connection.watch();
  }

  #probe(deadlineMs: number): void {
    const now = Date.now();
    for (const connection of this.#connections) connection.probe(now, deadlineMs);
  }

  #hearAnnounced(text: string): void {
    const parsed = v.safeParse(announcement, parseJson(text));
    if (!parsed.success) return this.#deps.log.warn({ text }, "not an announcement");
    const { output } = parsed;
    if ("stream" in output)
      this.#fanout.tellPresence(output.stream, this.#streams.followersOf(output.stream), output.presence);
    else this.#disconnect(output);
  }

  #disconnect(whose: SocketOwner): void {
    for (const connection of this.#connections) {
      const hit =
        "userId" in whose
          ? connection.peer.viewer.id === whose.userId
          : connection.peer.signInId === whose.signInId;
      if (hit) connection.disconnect("remote");
    }
  }

  /** Catches the sign-outs that were announced while Redis was away. */
  async #checkSignIns(): Promise<void> {
    const ids = [...this.#connections].flatMap(({ peer }) => peer.signInId ?? []);
    try {
      for (const signInId of await findEndedSignIns(this.#deps.pool.db, ids)) this.#disconnect({ signInId });
    } catch (error) {
      this.#deps.log.debug({ err: error }, "sign-ins are checked again later");
    }
  }
}

/** Makes the hub of one process. It opens nothing before its first socket. */
export function createHub(deps: HubDeps, rhythm: Partial<Rhythm> = {}): Hub {
  return new Hub(deps, { ...usualRhythm, ...rhythm });
}
