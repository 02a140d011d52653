import { CommandQueue } from "./command-queue.ts";
import type { CableSocket, Desk, Peer, Seat } from "./desk.ts";
import {
  confirmation,
  disconnection,
  type DisconnectReason,
  extWelcome,
  presenceFrame,
  rejection,
  transmission,
  WELCOME,
} from "./frames.ts";
import { type Command, parseCommand } from "./parse-command.ts";
import type { Reader } from "./slow-clients.ts";

const SUBSCRIPTIONS_MAX = 100;
/** A client that asks again this long after the last confirm has lost it. */
const CONFIRM_AGAIN_AFTER_MS = 2_000;
/** After so many lines a connection's nonsense is no longer worth logging. */
const COMPLAINTS_MAX = 10;
const NORMAL_CLOSURE = 1_000;
/** Whoever reads too slowly may read the goodbye for so long. */
const GOODBYE_READ_WITHIN_MS = 5_000;

type Subscribing = Extract<Command, { command: "subscribe" }>;
type Subscription = Seat & { topics: string[]; confirmedAtMs: number };

/** One signed-in socket: its subscriptions, and its commands in order. The server calls open, message, pong and close. */
export class Connection {
  readonly peer: Peer;
  /** When the peer was last heard, in milliseconds. */
  heardAtMs = Date.now();
  readonly #desk: Desk;
  readonly #queue = new CommandQueue((command) => this.#perform(command));
  readonly #subscriptions = new Map<string, Subscription>();
  #socket: CableSocket | null = null;
  #reader: Reader | null = null;
  #complaints = 0;

  constructor(desk: Desk, peer: Peer) {
    this.#desk = desk;
    this.peer = peer;
  }

  open(socket: CableSocket): void {
    this.#socket = socket;
    this.#reader = {
      socket,
      topics: () => [...this.#subscriptions.values()].flatMap(({ topics }) => topics),
      tooSlow: () => this.#giveUp(),
    };
    if (this.peer.wire === "plain") socket.sendText(WELCOME);
    else this.#queue.first(() => this.#welcomeBack());
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

  /** What waited in the socket was read. */
  drain(): void {
    if (this.#reader !== null) this.#desk.slowPeers.drained(this.#reader);
  }

  /** Looks whether the peer reads what it is told. */
  watch(): void {
    if (this.#reader !== null) this.#desk.slowPeers.watch(this.#reader);
  }

  close(): void {
    if (this.#socket === null) return;
    this.#socket = null;
    if (this.#reader !== null) this.#desk.slowPeers.forget(this.#reader);
    this.#reader = null;
    this.#queue.close();
    if (this.peer.wire === "ext") void this.#desk.keep(this.peer, [...this.#subscriptions.keys()]);
    for (const seat of this.#subscriptions.values()) this.#desk.unfollow(seat);
    this.#subscriptions.clear();
    this.#desk.leave(this);
  }

  /** Sends the peer away; with most reasons it may come back. */
  disconnect(reason: DisconnectReason): void {
    this.#socket?.sendText(disconnection(reason));
    this.#socket?.close(NORMAL_CLOSURE);
  }

  /** It reads too slowly to be waited for; it comes back and catches up. */
  #giveUp(): void {
    const socket = this.#socket;
    this.#reader = null;
    this.#desk.log.warn({ userId: this.peer.viewer.id }, "a socket is too slow");
    this.disconnect("too_slow");
    setTimeout(() => socket?.terminate(), GOODBYE_READ_WITHIN_MS).unref();
  }

  /** Asks the peer for a sign of life, or gives it up where the last one is older than the deadline. */
  probe(nowMs: number, deadlineMs: number): void {
    if (nowMs - this.heardAtMs > deadlineMs) this.#socket?.terminate();
    else this.#socket?.ping();
  }

  async #perform(command: Command): Promise<void> {
    try {
      if (command.command === "pong") return;
      if (command.command === "subscribe") await this.#subscribe(command);
      else await this.#performOn(this.#subscriptions.get(command.identifier), command);
    } catch (error) {
      // The client asks again by itself until it is confirmed or rejected.
      this.#desk.log.error({ err: error, userId: this.peer.viewer.id }, "a cable command failed");
    }
  }

  async #performOn(
    seat: Subscription | undefined,
    command: Exclude<Command, Subscribing | { command: "pong" }>,
  ): Promise<void> {
    if (seat === undefined) return this.#complain("a command without its subscription");
    switch (command.command) {
      case "unsubscribe":
        return this.#unsubscribe(seat);
      case "message": {
        const messages = await this.#desk.perform(seat, command.data);
        if (messages === null) return this.#complain("an unknown action");
        return this.#send(messages.map((message) => transmission(seat.identifier, message)));
      }
      case "history":
        return this.#send(await this.#desk.history(seat, command.history ?? {}));
      case "join":
      case "leave":
      case "presence":
        return this.#attend(seat, command.command);
    }
  }

  /** An extended client says that its player is there, or asks who is. */
  async #attend(seat: Seat, command: "join" | "leave" | "presence"): Promise<void> {
    if (this.peer.wire === "plain" || seat.admission.sessionId === null)
      return this.#complain("presence where there is none");
    if (command !== "presence") return this.#desk.attendance[command](seat);
    this.#send([presenceFrame(seat.identifier, await this.#desk.attendance.list(seat))]);
  }

  async #subscribe({ identifier, history, presence }: Subscribing): Promise<void> {
    const held = this.#subscriptions.get(identifier);
    if (held !== undefined) return this.#confirmAgain(identifier, held);
    const seat = await this.#takeSeat(identifier);
    if (seat === null) return this.#send([rejection(identifier)]);
    this.#send([confirmation(identifier)]);
    if (this.peer.wire === "plain") return;
    if (history) this.#send(await this.#desk.history(seat, history));
    if (presence) await this.#attend(seat, "join");
    await this.#desk.keep(this.peer, [...this.#subscriptions.keys()]);
  }

  /** @returns null where there is none to be had. */
  async #takeSeat(identifier: string): Promise<Seat | null> {
    if (this.#subscriptions.size >= SUBSCRIPTIONS_MAX) return null;
    const admission = await this.#desk.admit(this.peer.viewer, identifier);
    if (admission === null) return null;
    const seat: Seat = { peer: this.peer, identifier, admission };
    const topics = await this.#desk.follow(seat);
    if (this.#socket === null) {
      this.#desk.unfollow(seat);
      return seat;
    }
    this.#subscriptions.set(identifier, { ...seat, topics, confirmedAtMs: Date.now() });
    const slow = this.#reader === null || this.#desk.slowPeers.has(this.#reader);
    if (!slow) for (const topic of topics) this.#socket.subscribe(topic);
    return seat;
  }

  /** Lets an extended client take up what it listened to before it was cut off; what it missed it asks for itself. */
  async #welcomeBack(): Promise<void> {
    const { sid } = this.peer;
    try {
      const kept = await this.#desk.findKept(this.peer);
      const restored: string[] = [];
      for (const identifier of kept ?? [])
        if ((await this.#takeSeat(identifier)) !== null) restored.push(identifier);
      this.#send([extWelcome(sid, kept === null ? null : restored)]);
      await this.#desk.keep(this.peer, restored);
    } catch (error) {
      this.#desk.log.warn({ err: error }, "a connection could not be taken up again");
      this.#send([extWelcome(sid, null)]);
    }
  }

  #confirmAgain(identifier: string, held: Subscription): void {
    if (Date.now() - held.confirmedAtMs < CONFIRM_AGAIN_AFTER_MS) return;
    this.#subscriptions.set(identifier, { ...held, confirmedAtMs: Date.now() });
    this.#send([confirmation(identifier)]);
  }

  #unsubscribe(held: Subscription): void {
    this.#subscriptions.delete(held.identifier);
    for (const topic of held.topics) this.#socket?.unsubscribe(topic);
    this.#desk.unfollow(held);
  }

  #send(frames: readonly string[]): void {
    for (const frame of frames) this.#socket?.sendText(frame);
  }

  #complain(what: string): void {
    this.#complaints += 1;
    if (this.#complaints > COMPLAINTS_MAX) return;
    this.#desk.log.warn({ userId: this.peer.viewer.id, what }, "ignored on the cable");
  }
}

/** A socket without a sign-in: told to stay away. An HTTP 401 would have made its client try again for ever. */
export const unauthorizedConnection = {
  open(socket: CableSocket): void {
    socket.sendText(disconnection("unauthorized"));
    socket.close(NORMAL_CLOSURE);
  },
};
