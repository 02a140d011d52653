import type { ServerWebSocket } from "bun";
import type { Deps } from "#src/base/deps.ts";
import type { AccessToken } from "#src/people/sign-ins/access-tokens.ts";
import type { History } from "./catch-up.ts";
import type { CableViewer, ChannelStreams } from "./channels.ts";
import type { HeldMessages } from "./fanout.ts";
import type { DisconnectReason, HistoryRequest, Protocol } from "./frames.ts";
import type { SlowClients } from "./slow-clients.ts";
import type { StreamGroup } from "./stream-subscriber.ts";

export type CableSocket = Pick<
  ServerWebSocket<unknown>,
  "sendText" | "subscribe" | "unsubscribe" | "close" | "ping" | "terminate" | "getBufferedAmount"
>;

export type CableClient = {
  viewer: CableViewer;
  /** Of a program; null for everybody else. */
  token: AccessToken | null;
  signInId: string | null;
  protocol: Protocol;
  /** Of the browser; empty if it is not known. */
  address: string;
  /** The id of this connection, by which an extended client can resume its subscriptions later; others have none. */
  sid: string;
  /** The connection whose subscriptions it wants to resume; null: none. */
  previousSid: string | null;
};

export type Subscription = {
  client: CableClient;
  identifier: string;
  /** For each of its streams. A page catches up on the first one. */
  groups: readonly [StreamGroup, ...StreamGroup[]];
  /** The session in which the player counts as online; null: none. */
  sessionId: number | null;
};

/** What the hub uses of a connection. */
export type RegisteredConnection = {
  readonly client: CableClient;
  readonly subscriptions: {
    readonly sessionIds: readonly number[];
    /** Ends what the client follows of a session. */
    shut: (sessionId: number) => void;
  };
  disconnect: (reason: DisconnectReason) => void;
  probe: (nowMs: number, deadlineMs: number) => void;
  watch: () => void;
  roundTripMs: (nowMs: number) => number | null;
};

export type HubDeps = Pick<Deps, "env" | "pool" | "redis" | "log" | "notifyRelay" | "isRelayStuck">;

/** What a connection uses of its hub. */
export type HubApi = {
  deps: HubDeps;
  register: (connection: RegisteredConnection, socket: CableSocket) => void;
  unregister: (connection: RegisteredConnection) => void;
  /** Resolves to the subscription once its streams are subscribed in Redis. */
  follow: (client: CableClient, identifier: string, streams: ChannelStreams) => Promise<Subscription>;
  unfollow: (subscription: Subscription) => void;
  /** The messages that an extended client missed. */
  history: (subscription: Subscription, request: HistoryRequest) => Promise<History>;
  /** Counts a command of a player. Returns how long it has to wait, in ms. */
  takeCommand: (userId: number) => number;
  /** The presence of extended clients. A player is identified by the sign-in, never by what the client sends. */
  presenceList: {
    join: (subscription: Subscription) => Promise<void>;
    leave: (subscription: Subscription) => Promise<void>;
    list: (subscription: Subscription) => Promise<object>;
  };
  slowClients: SlowClients;
  heldMessages: HeldMessages;
};

/** The intervals of a hub's periodic work, in milliseconds. */
export type HubIntervals = {
  pingMs: number;
  probeMs: number;
  pongDeadlineMs: number;
  /** Checks whether the sign-ins are still valid. */
  checkMs: number;
  /** Looks for slow clients. */
  watchMs: number;
  /** Reports the load to the other processes. */
  reportMs: number;
};

/** Whose the socket is, of all that a user has: a sign-in, or a token; null: nobody's. */
export const ownerOf = ({ signInId, token }: Pick<CableClient, "signInId" | "token">): string | null =>
  signInId ?? (token === null ? null : `token-${token.id}`);
