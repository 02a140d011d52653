import type { Server } from "bun";
import { and, eq, inArray, isNotNull, or, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { signIns, users } from "#db/schema/users.ts";
import { isUnconfirmedNow } from "#db/sign-in-conditions.ts";
import { runFor } from "#src/base/cause.ts";
import { CONTROL_CHANNEL, type SocketOwner } from "#src/base/streams/broadcast.ts";
import { findEndedTokens } from "#src/people/sign-ins/access-tokens.ts";
import { can } from "#src/people/sign-ins/require-host.ts";
import { buildHistory, type History } from "./catch-up.ts";
import type { ChannelStreams } from "./channels.ts";
import { Connection } from "./connection.ts";
import { endLostAccess } from "./end-lost-access.ts";
import { Fanout } from "./fanout.ts";
import { type HistoryRequest, parseJson } from "./frames.ts";
import { Hearing, Heartbeat } from "./heartbeat.ts";
import type {
  CableClient,
  CableSocket,
  HubApi,
  HubDeps,
  HubIntervals,
  RegisteredConnection,
  Subscription,
} from "./hub-api.ts";
import { type CableLoad, Loads, slowestOf } from "./loads.ts";
import { PresenceCounter, PresenceList } from "./presence-counter.ts";
import { SocketLimits } from "./socket-limits.ts";
import { StreamSubscriber } from "./stream-subscriber.ts";

const controlMessage = v.union([
  v.object({ userId: v.number() }),
  v.object({ signInId: v.string() }),
  v.object({ accessTokenId: v.number() }),
  v.object({ shut: v.number() }),
  v.object({ stream: v.string(), presence: v.looseObject({}) }),
  v.object({ stream: v.string(), message: v.looseObject({}) }),
]);

const defaultIntervals: HubIntervals = {
  pingMs: 3_000,
  probeMs: 15_000,
  pongDeadlineMs: 40_000,
  checkMs: 30_000,
  watchMs: 1_000,
  reportMs: 5_000,
};

/** Disconnects are spread over at most this time, so that not all clients reconnect at once. */
const WITHIN_MS = 2_000;
const EVERY_MS = 4;

/** The connections of this process, and the streams that they receive. */
export class Hub {
  readonly #deps: HubDeps;
  readonly #intervals: HubIntervals;
  readonly #connections = new Set<RegisteredConnection>();
  readonly #fanout = new Fanout();
  readonly #limits: SocketLimits;
  readonly #subscriber: StreamSubscriber;
  readonly #hearing: Hearing;
  readonly #heartbeat = new Heartbeat(() => this.#receives);
  /** The loads of all processes. */
  readonly loads: Loads;
  readonly #presenceCounter: PresenceCounter;
  readonly #presenceList: PresenceList;
  readonly #api: HubApi;
  readonly #timers: Timer[] = [];
  #server: Server<unknown> | null = null;
  #stopping = false;

  constructor(deps: HubDeps, intervals: HubIntervals) {
    this.#deps = deps;
    this.#intervals = intervals;
    this.#limits = new SocketLimits({ on: deps.env.rateLimits });
    this.loads = new Loads(deps, () => this.load);
    this.#presenceCounter = new PresenceCounter(deps);
    this.#presenceList = new PresenceList(deps);
    this.#hearing = new Hearing(deps.redis);
    this.#subscriber = new StreamSubscriber(deps, {
      channel: CONTROL_CHANNEL,
      control: (text) => {
        this.#hearing.heard();
        this.#handleControl(text);
      },
      deliver: (group, message, audience) => this.#fanout.deliver(group, message, audience),
    });
    this.#api = {
      deps,
      register: (connection, socket) => this.#register(connection, socket),
      unregister: (connection) => this.#unregister(connection),
      follow: (client, identifier, streams) => this.#follow(client, identifier, streams),
      unfollow: (subscription) => this.#unfollow(subscription),
      history: (subscription, request) => this.#readHistory(subscription, request),
      takeCommand: (userId) => this.#limits.takeCommand(userId),
      presenceList: this.#presenceList,
      slowClients: this.#fanout.slowClients,
      heldMessages: this.#fanout.heldMessages,
    };
  }

  /** True from `stop` on: no connection is accepted any more. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /** False if an address has all sockets that it may have. */
  hasRoomFor(address: string): boolean {
    return this.#limits.hasRoomFor(address);
  }

  /** How the sockets of this process are. */
  get load(): CableLoad {
    const now = Date.now();
    return {
      sockets: this.#connections.size,
      slow: this.#fanout.slowClients.size,
      slowestMs: slowestOf(this.#connections.values().map((connection) => connection.roundTripMs(now))),
      receives: this.#receives,
    };
  }

  /** Prepares for the first socket of `server`: subscribes in Redis and starts the timers. Returns at once. */
  attach(server: Server<unknown>): void {
    // What it starts is not caused by the request that comes first.
    if (this.#server === null) runFor(null, () => this.#start(server));
  }

  #start(server: Server<unknown>): void {
    this.#server = server;
    this.#fanout.attach(server);
    this.#subscriber.start();
    this.#hearing.start();
    this.#presenceCounter.start();
    this.#presenceList.start();
    this.#heartbeat.start(server, this.#intervals);
    const { checkMs, watchMs, reportMs } = this.#intervals;
    this.#timers.push(
      setInterval(() => void this.#checkSignIns(), checkMs),
      setInterval(() => this.#connections.forEach((connection) => connection.watch()), watchMs),
      setInterval(() => void this.loads.report(), reportMs),
    );
  }

  /** Creates the connection of a client whose socket is about to open. */
  connection({ viewer, ...client }: Omit<CableClient, "sid">): Connection {
    const { id, guest, roles, hostOf, username } = viewer;
    const sid = client.protocol === "ext" ? crypto.randomUUID() : "";
    return new Connection(this.#api, { ...client, viewer: { id, guest, roles, hostOf, username }, sid });
  }

  /** Disconnects all clients with `server_restart`, spread over up to 2 s, and closes the Redis subscription. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#fanout.flush();
    await disconnectInTurn(this.#connections);
    for (const timer of this.#timers) clearInterval(timer);
    this.#heartbeat.stop();
    this.#presenceList.stop();
    this.#hearing.stop();
    await Promise.all([this.loads.withdraw(), this.#presenceCounter.stop()]);
    this.#subscriber.stop();
  }

  #register(connection: RegisteredConnection, socket: CableSocket): void {
    this.#connections.add(connection);
    this.#limits.add(connection)?.disconnect("too_many_connections");
    this.#heartbeat.add(connection, socket);
    // It was being accepted while `stop` disconnected the others.
    if (this.#stopping) connection.disconnect("server_restart");
  }

  /** What a history has, the process may still have to hear. Until then the client must get no live messages. */
  async #readHistory({ identifier, groups }: Subscription, request: HistoryRequest): Promise<History> {
    const query = { identifier, streams: groups.map(({ stream }) => stream), request };
    const history = await buildHistory(this.#deps.redis, query);
    await this.#subscriber.untilDelivered(history.sentUpTo);
    this.#fanout.flush();
    return history;
  }

  #unregister(connection: RegisteredConnection): void {
    if (!this.#connections.delete(connection)) return;
    this.#heartbeat.remove(connection);
    this.#limits.remove(connection);
  }

  async #follow(
    client: CableClient,
    identifier: string,
    { streams: [first, ...others], sessionId }: ChannelStreams,
  ): Promise<Subscription> {
    const form = { protocol: client.protocol, identifier };
    const follow = (stream: string) => this.#subscriber.follow(stream, form);
    const groups = await Promise.all([follow(first), ...others.map(follow)]);
    // The text of the group: thousands of sockets have the same.
    const subscription = { client, identifier: groups[0].identifier, groups, sessionId };
    const playsIn = countedSession(subscription);
    if (playsIn !== null) this.#presenceCounter.enter(playsIn, client.viewer.id);
    return subscription;
  }

  #unfollow(subscription: Subscription): void {
    const { client, groups } = subscription;
    for (const group of groups) this.#subscriber.unfollow(group);
    if (client.protocol === "ext") void this.#presenceList.leave(subscription);
    const playsIn = countedSession(subscription);
    if (playsIn !== null) this.#presenceCounter.leave(playsIn, client.viewer.id);
  }

  /** True while messages of other processes do not reach this one. It listens from the first socket on. */
  get isDeaf(): boolean {
    return this.#server !== null && (!this.#subscriber.isComplete || this.#hearing.isDeaf);
  }

  /** Whether messages can arrive: a silent database has no facts to broadcast, and a Redis that takes no writes gets none. */
  get #receives(): boolean {
    const { pool, isRelayStuck = () => false } = this.#deps;
    return !this.isDeaf && !pool.isSilent() && !isRelayStuck();
  }

  #handleControl(text: string): void {
    const control = parseControl(text);
    if (control === null) return this.#deps.log.warn({ text }, "ignored an invalid control message");
    if ("shut" in control) return void endLostAccess(this.#deps, this.#connections, control.shut);
    if (!("stream" in control)) return this.#disconnectOwner(control);
    const groups = this.#subscriber.groupsOf(control.stream);
    if ("presence" in control) this.#fanout.publishPresence(groups, control.presence);
    else this.#fanout.publishMessage(groups, control.message);
  }

  #disconnectOwner(owner: SocketOwner): void {
    for (const connection of this.#connections) {
      if (isOf(connection.client, owner)) connection.disconnect("remote");
    }
  }

  /** Finds sign-ins and access tokens whose end could not be announced because Redis was away. */
  async #checkSignIns(): Promise<void> {
    this.#limits.prune();
    const clients = [...this.#connections].map(({ client }) => client);
    const ids = clients.flatMap(({ signInId }) => signInId ?? []);
    const tokenIds = clients.flatMap(({ token }) => token?.id ?? []);
    try {
      const ended = await findEndedSignIns(this.#deps.pool.db, ids);
      for (const signInId of ended) this.#disconnectOwner({ signInId });
      for (const accessTokenId of await findEndedTokens(this.#deps, tokenIds))
        this.#disconnectOwner({ accessTokenId });
      await endLostAccess(this.#deps, this.#connections, null);
    } catch (error) {
      this.#deps.log.debug({ err: error }, "the sign-ins could not be checked; the next check tries again");
    }
  }
}

declare module "#src/http/request-context.ts" {
  interface RequestContext {
    /** The hub of the server that has received the request. */
    hub?: Hub;
  }
}

/** Creates the hub of one process. It connects to nothing before its first socket. */
export function createHub(deps: HubDeps, intervals: Partial<HubIntervals> = {}): Hub {
  return new Hub(deps, { ...defaultIntervals, ...intervals });
}

function isOf({ viewer, signInId, token }: CableClient, owner: SocketOwner): boolean {
  if ("userId" in owner) return viewer.id === owner.userId;
  return "signInId" in owner ? signInId === owner.signInId : token?.id === owner.accessTokenId;
}

/** The session in which a viewer counts as a player: hosts look at it without playing. */
function countedSession({ sessionId, client }: Subscription): number | null {
  return sessionId === null || can(client.viewer, "run", { id: sessionId }) ? null : sessionId;
}

/** Disconnects all clients of a process that stops. */
async function disconnectInTurn(connections: ReadonlySet<RegisteredConnection>): Promise<void> {
  const stepMs = Math.min(EVERY_MS, WITHIN_MS / Math.max(1, connections.size));
  const startMs = performance.now();
  let disconnected = 0;
  for (const connection of connections) {
    disconnected += 1;
    const aheadMs = startMs + disconnected * stepMs - performance.now();
    if (aheadMs > 1) await Bun.sleep(aheadMs);
    connection.disconnect("server_restart");
  }
}

type ControlMessage = v.InferOutput<typeof controlMessage>;

/** Parses what a process sends to all others: whom to disconnect, which session to shut for those who may not enter it any more, or what to send without an offset. Null if it is neither. */
function parseControl(text: string): ControlMessage | null {
  const parsed = v.safeParse(controlMessage, parseJson(text));
  return parsed.success ? parsed.output : null;
}

/**
 * Finds those of these sign-ins that are no longer valid: ended, expired, or of a user who was deactivated or has not
 * confirmed the email address in time. A long time without requests does not end a sign-in here: the client may be watching.
 */
async function findEndedSignIns(db: Queryable, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: signIns.id })
    .from(signIns)
    .innerJoin(users, eq(users.id, signIns.userId))
    .where(
      and(
        inArray(signIns.id, [...new Set(ids)]),
        or(
          isNotNull(signIns.endedAt),
          sql`${signIns.expiresAt} <= clock_timestamp()`,
          isNotNull(users.deactivatedAt),
          isUnconfirmedNow,
        ),
      ),
    );
  return rows.map(({ id }) => id);
}
