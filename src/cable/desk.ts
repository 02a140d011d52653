import type { ServerWebSocket } from "bun";
import type { Logger } from "pino";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import type { Admission } from "./channels.ts";
import type { DisconnectReason, Wire } from "./frames.ts";
import type { HistoryWish } from "./parse-command.ts";
import type { SlowPeers } from "./slow-clients.ts";

export type CableSocket = Pick<
  ServerWebSocket<unknown>,
  "sendText" | "subscribe" | "unsubscribe" | "close" | "ping" | "terminate" | "getBufferedAmount"
>;

/** Who is at the other end, and what is spoken there. */
export type Peer = {
  viewer: Viewer;
  signInId: string | null;
  wire: Wire;
  /** Names the connection, so that an extended client may take up its subscriptions again. */
  sid: string;
  /** The connection that it wants to take up; null: none. */
  formerSid: string | null;
};

/** A subscription on its way through the house. */
export type Seat = { peer: Peer; identifier: string; admission: Admission };

/** A connection as the house knows it. */
export type Caller = {
  readonly peer: Peer;
  disconnect: (reason: DisconnectReason) => void;
  probe: (nowMs: number, deadlineMs: number) => void;
  watch: () => void;
};

/** What a connection asks of the house around it. */
export type Desk = {
  enter: (caller: Caller, socket: CableSocket) => void;
  leave: (caller: Caller) => void;
  admit: (viewer: Viewer, identifier: string) => Promise<Admission | null>;
  /** Resolves, once the streams stand, to the topics that carry them under this identifier. */
  follow: (seat: Seat) => Promise<string[]>;
  unfollow: (seat: Seat) => void;
  /** Messages for this subscription alone, as JSON; null for an unknown action. */
  perform: (seat: Seat, data: string) => Promise<string[] | null>;
  /** Frames of what an extended client missed. */
  history: (seat: Seat, wish: HistoryWish) => Promise<string[]>;
  /** Remembers what an extended client listens to, and finds it again. */
  keep: (peer: Peer, identifiers: readonly string[]) => Promise<void>;
  findKept: (peer: Peer) => Promise<string[] | null>;
  /** Who is there, for extended clients; what they say of themselves is not asked: a player is known by the sign-in. */
  attendance: {
    join: (seat: Seat) => Promise<void>;
    leave: (seat: Seat) => Promise<void>;
    list: (seat: Seat) => Promise<object>;
  };
  slowPeers: SlowPeers;
  log: Logger;
};
