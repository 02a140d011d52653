import type { Server } from "bun";
import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { CONTROL_CHANNEL, type SocketOwner } from "#src/streams/broadcast.ts";
import { buildHistoryFrames } from "./catch-up.ts";
import { authorizeChannel, type ChannelStreams } from "./channels.ts";
import { Connection } from "./connection.ts";
import { Fanout, groupOf, topicOf } from "./fanout.ts";
import { findEndedSignIns } from "./find-ended-sign-ins.ts";
import { ping } from "./frames.ts";
import type { RegisteredConnection, CableSocket, HubApi, CableClient, Subscription } from "./hub-api.ts";
import { parseJson } from "./parse-command.ts";
import { performAction } from "./perform-action.ts";
import { PresenceCounter } from "./presence-counter.ts";
import { PresenceList } from "./presence-list.ts";
import { findSavedSubscriptions, saveSubscriptions } from "./saved-subscriptions.ts";
import { StreamSubscriber } from "./stream-subscriber.ts";

const PING_TOPIC = "ping";
/** On stop, disconnects are spread over at most this time, so that not all clients reconnect at once. */
const DISCONNECTS_WITHIN_MS = 2_000;
const DISCONNECT_EVERY_MS = 4;

/** The intervals of the periodic work, in milliseconds. */
export type HubIntervals = {
  pingMs: number;
  probeMs: number;
  pongDeadlineMs: number;
  /** Checks whether the sign-ins are still valid. */
  checkMs: number;
  /** Looks for slow clients. */
  watchMs: number;
};
const defaultIntervals: HubIntervals = {
  pingMs: 3_000,
  probeMs: 15_000,
  pongDeadlineMs: 40_000,
  checkMs: 30_000,
  watchMs: 250,
};

const controlMessage = v.union([
  v.object({ userId: v.number() }),
  v.object({ signInId: v.string() }),
  v.object({ stream: v.string(), presence: v.looseObject({}) }),
]);

export type HubDeps = Pick<Deps, "env" | "pool" | "redis" | "log" | "notifyRelay">;

/** The connections of this process, and the streams that they receive. */
export class Hub {
  readonly #deps: HubDeps;
  readonly #intervals: HubIntervals;
  readonly #connections = new Set<RegisteredConnection>();
  readonly #fanout = new Fanout();
  readonly #subscriber: StreamSubscriber;
  readonly #presenceCounter: PresenceCounter;
  readonly #presenceList: PresenceList;
  readonly #api: HubApi;
  readonly #timers: Timer[] = [];
  #server: Server<unknown> | null = null;
  #stopping = false;

  constructor(deps: HubDeps, intervals: HubIntervals) {
    this.#deps = deps;
    this.#intervals = intervals;
    this.#presenceCounter = new PresenceCounter(deps);
    this.#presenceList = new PresenceList(deps);
    this.#subscriber = new StreamSubscriber(deps, {
      channel: CONTROL_CHANNEL,
      control: (text) => this.#handleControl(text),
      deliver: (stream, group, message) => this.#fanout.deliver(stream, group, message),
    });
    this.#api = {
      register: (connection, socket) => this.#register(connection, socket),
      unregister: (connection) => this.#connections.delete(connection),
      authorize: (viewer, identifier) => authorizeChannel(deps.pool.db, viewer, identifier),
      follow: (subscription) => this.#follow(subscription),
      unfollow: (subscription) => this.#unfollow(subscription),
      perform: ({ client: { viewer }, streams }, data) => performAction(deps, { viewer, streams }, data),
      history: ({ identifier, streams }, request) =>
        buildHistoryFrames(deps.redis, { identifier, streams: namesOf(streams), request }),
      saveSubscriptions: (client, identifiers) => saveSubscriptions(deps, client, identifiers),
      findSavedSubscriptions: (client) => findSavedSubscriptions(deps.redis, client),
      presenceList: this.#presenceList,
      slowClients: this.#fanout.slowClients,
      log: deps.log,
    };
  }

  /** True from `stop` on: no connection is accepted any more. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /** How many sockets there are, and how many of their clients are slow. */
  get load(): { sockets: number; slow: number } {
    return { sockets: this.#connections.size, slow: this.#fanout.slowClients.size };
  }

  /** Prepares for the first socket of `server`: subscribes in Redis and starts the timers. Returns at once. */
  attach(server: Server<unknown>): void {
    if (this.#server !== null) return;
    this.#server = server;
    this.#fanout.attach(server);
    this.#subscriber.start();
    this.#presenceCounter.start();
    this.#presenceList.start();
    const { pingMs, probeMs, pongDeadlineMs, checkMs, watchMs } = this.#intervals;
    this.#timers.push(
      setInterval(() => server.publish(PING_TOPIC, ping(Date.now())), pingMs),
      setInterval(() => this.#probe(pongDeadlineMs), probeMs),
      setInterval(() => void this.#checkSignIns(), checkMs),
      setInterval(() => this.#watch(), watchMs),
    );
  }

  /** Creates the connection of a client whose socket is about to open. */
  connection(client: Omit<CableClient, "sid">): Connection {
    return new Connection(this.#api, { ...client, sid: crypto.randomUUID() });
  }

  /** Disconnects all clients with `server_restart`, spread over up to 2 s, and closes the Redis subscription. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#fanout.flush();
    const stepMs = Math.min(DISCONNECT_EVERY_MS, DISCONNECTS_WITHIN_MS / Math.max(1, this.#connections.size));
    const startMs = performance.now();
    let disconnected = 0;
    for (const connection of this.#connections) {
      disconnected += 1;
      const aheadMs = startMs + disconnected * stepMs - performance.now();
      if (aheadMs > 1) await Bun.sleep(aheadMs);
      connection.disconnect("server_restart");
    }
    for (const timer of this.#timers) clearInterval(timer);
    this.#presenceList.stop();
    await this.#presenceCounter.stop();
    this.#subscriber.stop();
  }

  #register(connection: RegisteredConnection, socket: CableSocket): void {
    this.#connections.add(connection);
    socket.subscribe(PING_TOPIC);
    // It was being accepted while `stop` disconnected the others.
    if (this.#stopping) connection.disconnect("server_restart");
  }

  async #follow(subscription: Subscription): Promise<string[]> {
    const { client, streams } = subscription;
    const group = groupOf(subscription);
    const names = namesOf(streams);
    for (const name of names) await this.#subscriber.follow(name, group);
    if (streams.sessionId !== null) this.#presenceCounter.enter(streams.sessionId, client.viewer.id);
    return names.map((name) => topicOf(name, group));
  }

  #unfollow(subscription: Subscription): void {
    const { client, streams } = subscription;
    for (const name of namesOf(streams)) this.#subscriber.unfollow(name, groupOf(subscription));
    if (client.protocol === "ext") void this.#presenceList.leave(subscription);
    if (streams.sessionId !== null) this.#presenceCounter.leave(streams.sessionId, client.viewer.id);
  }

  #watch(): void {
    for (const connection of this.#connections) connection.watch();
  }

  #probe(deadlineMs: number): void {
    const now = Date.now();
    for (const connection of this.#connections) connection.probe(now, deadlineMs);
  }

  #handleControl(text: string): void {
    const parsed = v.safeParse(controlMessage, parseJson(text));
    if (!parsed.success) return this.#deps.log.warn({ text }, "ignored an invalid control message");
    const { output } = parsed;
    if ("stream" in output)
      this.#fanout.publishPresence(output.stream, this.#subscriber.groupsOf(output.stream), output.presence);
    else this.#disconnectOwner(output);
  }

  #disconnectOwner(owner: SocketOwner): void {
    for (const connection of this.#connections) {
      const { viewer, signInId } = connection.client;
      const owned = "userId" in owner ? viewer.id === owner.userId : signInId === owner.signInId;
      if (owned) connection.disconnect("remote");
    }
  }

  /** Finds sign-ins whose end could not be announced because Redis was away. */
  async #checkSignIns(): Promise<void> {
    const ids = [...this.#connections].flatMap(({ client }) => client.signInId ?? []);
    try {
      for (const signInId of await findEndedSignIns(this.#deps.pool.db, ids))
        this.#disconnectOwner({ signInId });
    } catch (error) {
      this.#deps.log.debug({ err: error }, "the sign-ins could not be checked; the next check tries again");
    }
  }
}

function namesOf({ stream, extraStreams }: ChannelStreams): string[] {
  return [stream, ...extraStreams];
}

/** Creates the hub of one process. It connects to nothing before its first socket. */
export function createHub(deps: HubDeps, intervals: Partial<HubIntervals> = {}): Hub {
  return new Hub(deps, { ...defaultIntervals, ...intervals });
}
