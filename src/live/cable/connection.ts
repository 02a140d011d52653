import * as v from "valibot";
import {
  type Command,
  confirmation,
  disconnection,
  type DisconnectReason,
  extWelcome,
  IDENTIFIER_LENGTH_MAX,
  parseCommand,
  presenceFrame,
  rejection,
  transmission,
  WELCOME,
} from "./frames.ts";
import type { CableClient, CableSocket, HubApi } from "./hub-api.ts";
import {
  type OpenSubscription,
  OpenSubscriptions,
  saveSubscriptions,
  SUBSCRIPTIONS_MAX,
  takeSavedSubscriptions,
} from "./open-subscriptions.ts";
import { performAction } from "./perform-action.ts";
import { isSlow, type SocketReader } from "./slow-clients.ts";

/** Commands of one connection in a second; more of them wait. */
const COMMANDS_PER_S_MAX = 20;

/** Commands beyond these limits are dropped. */
const WAITING_MAX = 200;
const WAITING_LENGTH_MAX = 256 * 1_024;
const SECOND_MS = 1_000;

/** Performs the commands of one connection one at a time, in their order, at a limited rate. */
class CommandQueue {
  readonly #performer: CommandPerformer;
  readonly #waiting: QueuedCommand[] = [];
  /** The one that is performed, if any. */
  #current: readonly QueuedCommand[] = [];
  #waitingLength = 0;
  #busy = false;
  #closed = false;
  /** When the last commands started, oldest first. */
  readonly #startedAtMs: number[] = [];

  constructor(performer: CommandPerformer) {
    this.#performer = performer;
  }

  /** What is subscribed, of these identifiers and others, once all is done that waits. */
  subscribedAfter(open: readonly string[]): ReadonlySet<string> {
    const identifiers = new Set(open);
    for (const { command } of [...this.#current, ...this.#waiting]) {
      if (command.command === "subscribe") identifiers.add(command.identifier);
      if (command.command === "unsubscribe") identifiers.delete(command.identifier);
    }
    return identifiers;
  }

  /**
   * Adds a command.
   * @param length of its text, in characters.
   * @returns false if the queue is full and the command is dropped.
   */
  push(command: Command, length: number): boolean {
    if (this.#waiting.length >= WAITING_MAX || this.#waitingLength + length > WAITING_LENGTH_MAX)
      return false;
    this.#waiting.push({ command, length });
    this.#waitingLength += length;
    if (!this.#busy) void this.#drain();
    return true;
  }

  /** Runs this before all commands. @param begin must not reject. */
  first(begin: () => Promise<void>): void {
    this.#busy = true;
    void begin().then(() => this.#drain());
  }

  /** Drops all waiting commands. */
  close(): void {
    this.#closed = true;
    this.#waiting.length = 0;
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#waitingLength -= next.length;
      this.#current = [next];
      await this.#limitRate();
      if (this.#closed) break;
      await this.#performer.perform(next.command);
      this.#current = [];
    }
    this.#busy = false;
  }

  /** Waits until fewer than COMMANDS_PER_S_MAX commands have started within the last second. */
  async #limitRate(): Promise<void> {
    if (this.#startedAtMs.length === COMMANDS_PER_S_MAX) {
      const waitMs = (this.#startedAtMs.shift() ?? 0) + SECOND_MS - performance.now();
      if (waitMs > 0) await Bun.sleep(waitMs);
    }
    const waitMs = this.#performer.takeCommand();
    if (waitMs > 0) await Bun.sleep(waitMs);
    this.#startedAtMs.push(performance.now());
  }
}

/** At most so many invalid frames and failed commands of a connection are logged. */
const LOGGED_MAX = 10;
/** How long a slow client has to read its disconnect frame. */
const DISCONNECT_WITHIN_MS = 5_000;

type SubscribeCommand = Extract<Command, { command: "subscribe" }>;

/**
 * The connection of one signed-in client: its subscriptions, and its commands in order. Bun calls open, message, pong, drain
 * and close.
 */
export class Connection {
  // Thousands of these are open: what only few of them need is created when they need it.
  readonly client: CableClient;
  /** Null before it opens and after it is closed. */
  socket: CableSocket | null = null;
  readonly #hub: HubApi;
  readonly #queue: CommandQueue;
  readonly subscriptions: OpenSubscriptions;
  /** Created when the client reads slowly for the first time. */
  #reader: SocketReader | null = null;
  #isTooSlow = false;
  readonly #roundTrip = new RoundTrip();
  #loggedCount = 0;

  constructor(hub: HubApi, client: CableClient) {
    this.#hub = hub;
    this.client = client;
    this.#queue = new CommandQueue(this);
    this.subscriptions = new OpenSubscriptions(hub, this);
  }

  /** False for a client that was disconnected because it reads too slowly. */
  get receives(): boolean {
    return !this.#isTooSlow;
  }

  /** The client as one that reads slowly at the moment; null if it does not. */
  get slowReader(): SocketReader | null {
    return this.#reader !== null && this.#hub.slowClients.has(this.#reader) ? this.#reader : null;
  }

  open(socket: CableSocket): void {
    this.socket = socket;
    if (this.client.protocol === "plain") socket.sendText(WELCOME);
    else this.#queue.first(() => this.#resume());
    this.#hub.register(this, socket);
  }

  message(_socket: CableSocket, data: string | Buffer): void {
    if (typeof data !== "string") return this.#logIgnored("a binary frame");
    const command = parseCommand(data);
    if (command === null) return this.#logIgnored("not a command");
    if (this.#accepts(command, data.length)) return;
    this.#logIgnored("too many commands");
    if (command.command === "subscribe") this.#send([rejection(command.identifier)]);
  }

  /** A subscription that has no room is refused at once. One that waits already is answered when its turn comes. */
  #accepts(command: Command, length: number): boolean {
    if (command.command !== "subscribe") return this.#queue.push(command, length);
    const { identifier } = command;
    if (identifier.length > IDENTIFIER_LENGTH_MAX) return false;
    if (this.#queue.subscribedAfter([]).has(identifier)) return true;
    const later = this.#queue.subscribedAfter(this.subscriptions.identifiers);
    return (later.has(identifier) || later.size < SUBSCRIPTIONS_MAX) && this.#queue.push(command, length);
  }

  pong(): void {
    this.#roundTrip.answered(Date.now());
  }

  /** The client has read what waited in the socket. */
  drain(): void {
    if (this.#reader !== null) this.#hub.slowClients.drained(this.#reader);
  }

  /** Checks whether the client reads fast enough. */
  watch(): void {
    const { socket } = this;
    if (socket === null || this.#isTooSlow || !isSlow(socket)) return;
    this.#reader ??= {
      socket,
      topics: () => this.subscriptions.topics,
      tooSlow: () => this.#disconnectSlow(),
    };
    this.#hub.slowClients.watch(this.#reader);
  }

  close(): void {
    if (this.socket === null) return;
    this.socket = null;
    if (this.#reader !== null) this.#hub.slowClients.remove(this.#reader);
    this.#reader = null;
    this.#queue.close();
    if (this.client.protocol === "ext")
      void saveSubscriptions(this.#hub.deps, this.client, this.subscriptions.identifiers);
    this.subscriptions.closeAll();
    this.#hub.unregister(this);
  }

  /** Disconnects the client. The reason decides whether it may reconnect. */
  disconnect(reason: DisconnectReason): void {
    this.socket?.sendText(disconnection(reason));
    this.socket?.close(NORMAL_CLOSURE);
  }

  /** Disconnects a client that reads too slowly. It reconnects and catches up. */
  #disconnectSlow(): void {
    const { socket } = this;
    this.#isTooSlow = true;
    this.#hub.deps.log.warn({ userId: this.client.viewer.id }, "disconnected a client that reads too slowly");
    this.disconnect("too_slow");
    setTimeout(() => socket?.terminate(), DISCONNECT_WITHIN_MS).unref();
  }

  /** Sends a ping, or terminates a socket that owes an answer for longer. One that sends and does not read owes it too. */
  probe(nowMs: number, deadlineMs: number): void {
    if (this.#roundTrip.owedMs(nowMs) > deadlineMs) this.socket?.terminate();
    else {
      this.#roundTrip.sent(nowMs);
      this.socket?.ping();
    }
  }

  /** How long the client took to answer its last ping, in milliseconds; null before the first ping. */
  roundTripMs(nowMs: number): number | null {
    return this.#roundTrip.latestMs(nowMs);
  }

  /** Counts a command of the player. Returns how long it has to wait, in ms. */
  takeCommand(): number {
    return this.#hub.takeCommand(this.client.viewer.id);
  }

  /** Performs a command. Never rejects. */
  async perform(command: Command): Promise<void> {
    try {
      if (command.command === "pong") return;
      if (command.command === "subscribe") await this.#subscribe(command);
      else await this.#performFor(this.subscriptions.get(command.identifier), command);
    } catch (error) {
      if (error instanceof v.ValiError) return this.#logIgnored("data that cannot be read");
      // The client subscribes again by itself until it is confirmed or rejected.
      if (this.#isToBeLogged())
        this.#hub.deps.log.error({ err: error, userId: this.client.viewer.id }, "a cable command failed");
    }
  }

  async #performFor(
    subscription: OpenSubscription | undefined,
    command: Exclude<Command, SubscribeCommand | { command: "pong" }>,
  ): Promise<void> {
    if (subscription === undefined) return this.#logIgnored("a command without a subscription");
    switch (command.command) {
      case "unsubscribe":
        return this.subscriptions.close(subscription);
      case "message": {
        const messages = await performAction(this.#hub.deps, subscription, command.data);
        if (messages === null) return this.#logIgnored("an unknown action");
        return this.#send(messages.map((message) => transmission(subscription.identifier, message)));
      }
      case "history":
        return this.subscriptions.sendHistory(subscription, () =>
          this.#hub.history(subscription, command.history ?? {}),
        );
      case "join":
      case "leave":
      case "presence":
        return this.#changePresence(subscription, command.command);
    }
  }

  /** An extended client joins or leaves the presence of its channel, or asks for the list. */
  async #changePresence(
    subscription: OpenSubscription,
    command: "join" | "leave" | "presence",
  ): Promise<void> {
    if (this.client.protocol === "plain" || subscription.sessionId === null)
      return this.#logIgnored("a presence command for a channel without presence");
    if (command !== "presence" && this.client.token !== null)
      return this.#logIgnored("the presence of a program");
    if (command !== "presence") return this.#hub.presenceList[command](subscription);
    this.#send([presenceFrame(subscription.identifier, await this.#hub.presenceList.list(subscription))]);
  }

  async #subscribe({ identifier, history, presence }: SubscribeCommand): Promise<void> {
    const existing = this.subscriptions.get(identifier);
    if (existing !== undefined)
      return this.#send(this.subscriptions.confirmsAgain(existing) ? [confirmation(identifier)] : []);
    const isExtended = this.client.protocol === "ext";
    const wanted = isExtended ? (history ?? null) : null;
    const subscription = await this.subscriptions.open(identifier, { held: wanted !== null });
    if (subscription === null) return this.#send([rejection(identifier)]);
    this.#send([confirmation(identifier)]);
    if (!isExtended) return;
    if (wanted !== null)
      await this.subscriptions.sendHistory(subscription, () => this.#hub.history(subscription, wanted));
    if (presence) await this.#changePresence(subscription, "join");
    await saveSubscriptions(this.#hub.deps, this.client, this.subscriptions.identifiers);
  }

  /** Resumes the subscriptions of an extended client that reconnects. It asks by itself for the messages that it missed. */
  async #resume(): Promise<void> {
    const { sid } = this.client;
    try {
      const saved = await takeSavedSubscriptions(this.#hub.deps.redis, this.client);
      const resumed = saved === null ? [] : await this.subscriptions.resume(saved);
      const restored = resumed.map(({ identifier }) => identifier);
      this.#send([extWelcome(sid, saved === null ? null : restored)]);
      await saveSubscriptions(this.#hub.deps, this.client, restored);
    } catch (error) {
      this.#hub.deps.log.warn({ err: error }, "the subscriptions of a connection could not be resumed");
      this.#send([extWelcome(sid, null)]);
    }
  }

  #send(frames: readonly string[]): void {
    for (const frame of frames) this.socket?.sendText(frame);
  }

  #isToBeLogged(): boolean {
    this.#loggedCount += 1;
    return this.#loggedCount <= LOGGED_MAX;
  }

  #logIgnored(what: string): void {
    if (!this.#isToBeLogged()) return;
    this.#hub.deps.log.warn({ userId: this.client.viewer.id, what }, "ignored a frame on the cable");
  }
}

type QueuedCommand = { command: Command; length: number };

/** The connection whose commands wait. */
type CommandPerformer = {
  /** Must not reject. */
  perform: (command: Command) => Promise<void>;
  /** Counts a command of the player; returns how long it has to wait, in ms. */
  takeCommand: () => number;
};

/** How long a client takes to answer a ping. */
export class RoundTrip {
  /** When the ping was sent that has no answer yet; null: none. */
  #sentAtMs: number | null = null;
  #lastMs: number | null = null;

  /** A ping is sent. While an older one has no answer, that one counts. */
  sent(nowMs: number): void {
    this.#sentAtMs ??= nowMs;
  }

  answered(nowMs: number): void {
    if (this.#sentAtMs === null) return;
    this.#lastMs = nowMs - this.#sentAtMs;
    this.#sentAtMs = null;
  }

  /** For how long the client has owed an answer, in milliseconds; 0 if it owes none. */
  owedMs(nowMs: number): number {
    return this.#sentAtMs === null ? 0 : nowMs - this.#sentAtMs;
  }

  /** In milliseconds: of the newest answer, or how long the client already owes one, if that is longer. Null before any ping. */
  latestMs(nowMs: number): number | null {
    const owedMs = this.#sentAtMs === null ? null : nowMs - this.#sentAtMs;
    return owedMs === null || (this.#lastMs ?? -1) > owedMs ? this.#lastMs : owedMs;
  }
}

export const NORMAL_CLOSURE = 1_000;

/** The connection of a client that is refused: disconnects it, without a welcome, so that it does not reconnect. */
export function refusedConnection(reason: "unauthorized" | "invalid_request") {
  return {
    open(socket: CableSocket): void {
      socket.sendText(disconnection(reason));
      socket.close(NORMAL_CLOSURE);
    },
  };
}
