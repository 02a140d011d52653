import type { ServerWebSocket } from "bun";
import type { Logger } from "pino";
import type { Viewer } from "#src/users/viewer.ts";
import type { Admission } from "./channels.ts";
import { CommandQueue } from "./command-queue.ts";
import { confirmation, disconnection, type DisconnectReason, rejection, WELCOME } from "./frames.ts";
import { type Command, parseCommand } from "./parse-command.ts";

const SUBSCRIPTIONS_MAX = 100;
/** A client that asks again this long after the last confirm has lost it. */
const CONFIRM_AGAIN_AFTER_MS = 2_000;
/** After so many lines a connection's nonsense is no longer worth logging. */
const COMPLAINTS_MAX = 10;
const NORMAL_CLOSURE = 1_000;

export type CableSocket = Pick<
  ServerWebSocket<unknown>,
  "sendText" | "subscribe" | "unsubscribe" | "close" | "ping" | "terminate"
>;

/** What a connection asks of the house around it. */
export type Desk = {
  enter: (connection: Connection, socket: CableSocket) => void;
  leave: (connection: Connection) => void;
  admit: (viewer: Viewer, identifier: string) => Promise<Admission | null>;
  /** Resolves, once the stream stands, to the topic that carries it under this identifier. */
  follow: (viewer: Viewer, identifier: string, admission: Admission) => Promise<string>;
  unfollow: (viewer: Viewer, identifier: string, admission: Admission) => void;
  log: Logger;
};

type Subscription = { admission: Admission; topic: string; confirmedAtMs: number };

/** One signed-in socket: its subscriptions, and its commands in order. The server calls open, message, pong and close. */
export class Connection {
  readonly viewer: Viewer;
  readonly signInId: string | null;
  /** When the peer was last heard, in milliseconds. */
  heardAtMs = Date.now();
  readonly #desk: Desk;
  readonly #queue = new CommandQueue((command) => this.#perform(command));
  readonly #subscriptions = new Map<string, Subscription>();
  #socket: CableSocket | null = null;
  #complaints = 0;

  constructor(desk: Desk, { viewer, signInId }: { viewer: Viewer; signInId: string | null }) {
    this.#desk = desk;
    this.viewer = viewer;
    this.signInId = signInId;
  }

  open(socket: CableSocket): void {
    this.#socket = socket;
    socket.sendText(WELCOME);
    this.#desk.enter(this, socket);
  }

  message(_socket: CableSocket, data: string | Buffer): void {
    this.heardAtMs = Date.now();
    if (typeof data !== "string") return this.#complain("a binary frame");
    const command = parseCommand(data);
    if (command === null) return this.#complain("not a command");
    if (!this.#queue.push(command, data.length)) this.#complain("too many commands");
  }

  pong(): void {
    this.heardAtMs = Date.now();
  }

  close(): void {
    if (this.#socket === null) return;
    this.#socket = null;
    this.#queue.close();
    for (const [identifier, { admission }] of this.#subscriptions) {
      this.#desk.unfollow(this.viewer, identifier, admission);
    }
    this.#subscriptions.clear();
    this.#desk.leave(this);
  }

  /** Sends the peer away; with every reason but "unauthorized" it may come back. */
  disconnect(reason: DisconnectReason): void {
    this.#socket?.sendText(disconnection(reason));
    this.#socket?.close(NORMAL_CLOSURE);
  }

  /** Asks the peer for a sign of life, or gives it up where the last one is older than the deadline. */
  probe(nowMs: number, deadlineMs: number): void {
    if (nowMs - this.heardAtMs > deadlineMs) this.#socket?.terminate();
    else this.#socket?.ping();
  }

  async #perform(command: Command): Promise<void> {
    try {
      switch (command.command) {
        case "subscribe":
          return await this.#subscribe(command.identifier);
        case "unsubscribe":
          return this.#unsubscribe(command.identifier);
        case "message":
          return this.#complain("an unknown action");
      }
    } catch (error) {
      // The client asks again by itself until it is confirmed or rejected.
      this.#desk.log.error({ err: error, userId: this.viewer.id }, "a cable command failed");
    }
  }

  async #subscribe(identifier: string): Promise<void> {
    const held = this.#subscriptions.get(identifier);
    if (held !== undefined) return this.#confirmAgain(identifier, held);
    const admission =
      this.#subscriptions.size < SUBSCRIPTIONS_MAX ? await this.#desk.admit(this.viewer, identifier) : null;
    if (admission === null) {
      this.#socket?.sendText(rejection(identifier));
      return;
    }
    const topic = await this.#desk.follow(this.viewer, identifier, admission);
    if (this.#socket === null) {
      this.#desk.unfollow(this.viewer, identifier, admission);
      return;
    }
    this.#subscriptions.set(identifier, { admission, topic, confirmedAtMs: Date.now() });
    this.#socket.subscribe(topic);
    this.#socket.sendText(confirmation(identifier));
  }

  #confirmAgain(identifier: string, held: Subscription): void {
    if (Date.now() - held.confirmedAtMs < CONFIRM_AGAIN_AFTER_MS) return;
    this.#subscriptions.set(identifier, { ...held, confirmedAtMs: Date.now() });
    this.#socket?.sendText(confirmation(identifier));
  }

  #unsubscribe(identifier: string): void {
    const held = this.#subscriptions.get(identifier);
    if (held === undefined) return;
    this.#subscriptions.delete(identifier);
    this.#socket?.unsubscribe(held.topic);
    this.#desk.unfollow(this.viewer, identifier, held.admission);
  }

  #complain(what: string): void {
    this.#complaints += 1;
    if (this.#complaints > COMPLAINTS_MAX) return;
    this.#desk.log.warn({ userId: this.viewer.id, what }, "ignored on the cable");
  }
}

/** A socket without a sign-in: told to stay away. An HTTP 401 would have made its client try again for ever. */
export const unauthorizedConnection = {
  open(socket: CableSocket): void {
    socket.sendText(disconnection("unauthorized"));
    socket.close(NORMAL_CLOSURE);
  },
};
