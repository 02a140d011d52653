import type { ServerWebSocket } from "bun";
import type { Logger } from "pino";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import type { ChannelStreams } from "./channels.ts";
import type { DisconnectReason, Protocol } from "./frames.ts";
import type { HistoryRequest } from "./parse-command.ts";
import type { SlowClients } from "./slow-clients.ts";

export type CableSocket = Pick<
  ServerWebSocket<unknown>,
  "sendText" | "subscribe" | "unsubscribe" | "close" | "ping" | "terminate" | "getBufferedAmount"
>;

/** The client of a connection. */
export type CableClient = {
  viewer: Viewer;
  signInId: string | null;
  protocol: Protocol;
  /** The id of this connection, by which an extended client can resume its subscriptions later. */
  sid: string;
  /** The connection whose subscriptions it wants to resume; null: none. */
  previousSid: string | null;
};

export type Subscription = { client: CableClient; identifier: string; streams: ChannelStreams };

/** What the hub uses of a connection. */
export type RegisteredConnection = {
  readonly client: CableClient;
  disconnect: (reason: DisconnectReason) => void;
  probe: (nowMs: number, deadlineMs: number) => void;
  watch: () => void;
};

/** What a connection uses of its hub. */
export type HubApi = {
  register: (connection: RegisteredConnection, socket: CableSocket) => void;
  unregister: (connection: RegisteredConnection) => void;
  /** The streams of a channel; null if the viewer may not subscribe to it. */
  authorize: (viewer: Viewer, identifier: string) => Promise<ChannelStreams | null>;
  /** Resolves, once the streams are subscribed in Redis, to the topics that carry them to this subscription. */
  follow: (subscription: Subscription) => Promise<string[]>;
  unfollow: (subscription: Subscription) => void;
  /** Performs an action. Returns messages for this subscription alone, as JSON; null for an unknown action. */
  perform: (subscription: Subscription, data: string) => Promise<string[] | null>;
  /** The frames with the messages that an extended client missed. */
  history: (subscription: Subscription, request: HistoryRequest) => Promise<string[]>;
  /** Stores the subscriptions of an extended client, so that it can resume them after a reconnect. */
  saveSubscriptions: (client: CableClient, identifiers: readonly string[]) => Promise<void>;
  findSavedSubscriptions: (client: CableClient) => Promise<string[] | null>;
  /** The presence of extended clients. A player is identified by the sign-in, never by what the client sends. */
  presenceList: {
    join: (subscription: Subscription) => Promise<void>;
    leave: (subscription: Subscription) => Promise<void>;
    list: (subscription: Subscription) => Promise<object>;
  };
  slowClients: SlowClients;
  log: Logger;
};
