import { CommandQueue } from "./command-queue.ts";
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
import type { CableClient, CableSocket, HubApi, Subscription } from "./hub-api.ts";
import { type Command, parseCommand } from "./parse-command.ts";
import type { SocketReader } from "./slow-clients.ts";

const SUBSCRIPTIONS_MAX = 100;
/** A client that subscribes again this long after the last confirmation has lost it. */
const CONFIRM_AGAIN_AFTER_MS = 2_000;
/** At most so many invalid frames of a connection are logged. */
const LOGGED_MAX = 10;
const NORMAL_CLOSURE = 1_000;
/** So long a slow client has to read its disconnect frame. */
const DISCONNECT_WITHIN_MS = 5_000;

type SubscribeCommand = Extract<Command, { command: "subscribe" }>;
type ActiveSubscription = Subscription & { topics: string[]; confirmedAtMs: number };

/**
 * The connection of one signed-in client: its subscriptions, and its commands in order. Bun calls open, message, pong, drain
 * and close.
 */
export class Connection {
  readonly client: CableClient;
  /** When the last frame arrived, in milliseconds since 1970. */
  #lastFrameAtMs = Date.now();
  readonly #hub: HubApi;
  readonly #queue = new CommandQueue((command) => this.#perform(command));
  readonly #subscriptions = new Map<string, ActiveSubscription>();
  #socket: CableSocket | null = null;
  #reader: SocketReader | null = null;
  #ignoredCount = 0;

  constructor(hub: HubApi, client: CableClient) {
    this.#hub = hub;
    this.client = client;
  }

  open(socket: CableSocket): void {
    this.#socket = socket;
    this.#reader = {
      socket,
      topics: () => [...this.#subscriptions.values()].flatMap(({ topics }) => topics),
      tooSlow: () => this.#disconnectSlow(),
    };
    if (this.client.protocol === "plain") socket.sendText(WELCOME);
    else this.#queue.first(() => this.#resume());
    this.#hub.register(this, socket);
  }

  message(_socket: CableSocket, data: string | Buffer): void {
    this.#lastFrameAtMs = Date.now();
    if (typeof data !== "string") return this.#logIgnored("a binary frame");
    const command = parseCommand(data);
    if (command === null) return this.#logIgnored("not a command");
    if (!this.#queue.push(command, data.length)) this.#logIgnored("too many commands");
  }

  pong(): void {
    this.#lastFrameAtMs = Date.now();
  }

  /** The client has read what waited in the socket. */
  drain(): void {
    if (this.#reader !== null) this.#hub.slowClients.drained(this.#reader);
  }

  /** Checks whether the client reads fast enough. */
  watch(): void {
    if (this.#reader !== null) this.#hub.slowClients.watch(this.#reader);
  }

  close(): void {
    if (this.#socket === null) return;
    this.#socket = null;
    if (this.#reader !== null) this.#hub.slowClients.remove(this.#reader);
    this.#reader = null;
    this.#queue.close();
    if (this.client.protocol === "ext")
      void this.#hub.saveSubscriptions(this.client, [...this.#subscriptions.keys()]);
    for (const subscription of this.#subscriptions.values()) this.#hub.unfollow(subscription);
    this.#subscriptions.clear();
    this.#hub.unregister(this);
  }

  /** Disconnects the client. The reason decides whether it may reconnect. */
  disconnect(reason: DisconnectReason): void {
    this.#socket?.sendText(disconnection(reason));
    this.#socket?.close(NORMAL_CLOSURE);
  }

  /** Disconnects a client that reads too slowly. It reconnects and catches up. */
  #disconnectSlow(): void {
    const socket = this.#socket;
    this.#reader = null;
    this.#hub.log.warn({ userId: this.client.viewer.id }, "disconnected a client that reads too slowly");
    this.disconnect("too_slow");
    setTimeout(() => socket?.terminate(), DISCONNECT_WITHIN_MS).unref();
  }

  /** Sends a ping, or terminates the socket if the last frame is older than the deadline. */
  probe(nowMs: number, deadlineMs: number): void {
    if (nowMs - this.#lastFrameAtMs > deadlineMs) this.#socket?.terminate();
    else this.#socket?.ping();
  }

  async #perform(command: Command): Promise<void> {
    try {
      if (command.command === "pong") return;
      if (command.command === "subscribe") await this.#subscribe(command);
      else await this.#performFor(this.#subscriptions.get(command.identifier), command);
    } catch (error) {
      // The client subscribes again by itself until it is confirmed or rejected.
      this.#hub.log.error({ err: error, userId: this.client.viewer.id }, "a cable command failed");
    }
  }

  async #performFor(
    subscription: ActiveSubscription | undefined,
    command: Exclude<Command, SubscribeCommand | { command: "pong" }>,
  ): Promise<void> {
    if (subscription === undefined) return this.#logIgnored("a command without a subscription");
    switch (command.command) {
      case "unsubscribe":
        return this.#unsubscribe(subscription);
      case "message": {
        const messages = await this.#hub.perform(subscription, command.data);
        if (messages === null) return this.#logIgnored("an unknown action");
        return this.#send(messages.map((message) => transmission(subscription.identifier, message)));
      }
      case "history":
        return this.#send(await this.#hub.history(subscription, command.history ?? {}));
      case "join":
      case "leave":
      case "presence":
        return this.#changePresence(subscription, command.command);
    }
  }

  /** An extended client joins or leaves the presence of its channel, or asks for the list. */
  async #changePresence(subscription: Subscription, command: "join" | "leave" | "presence"): Promise<void> {
    if (this.client.protocol === "plain" || subscription.streams.sessionId === null)
      return this.#logIgnored("a presence command for a channel without presence");
    if (command !== "presence") return this.#hub.presenceList[command](subscription);
    this.#send([presenceFrame(subscription.identifier, await this.#hub.presenceList.list(subscription))]);
  }

  async #subscribe({ identifier, history, presence }: SubscribeCommand): Promise<void> {
    const existing = this.#subscriptions.get(identifier);
    if (existing !== undefined) return this.#confirmAgain(existing);
    const subscription = await this.#open(identifier);
    if (subscription === null) return this.#send([rejection(identifier)]);
    this.#send([confirmation(identifier)]);
    if (this.client.protocol === "plain") return;
    if (history) this.#send(await this.#hub.history(subscription, history));
    if (presence) await this.#changePresence(subscription, "join");
    await this.#hub.saveSubscriptions(this.client, [...this.#subscriptions.keys()]);
  }

  /** Opens a subscription. @returns null if the client may not have it. */
  async #open(identifier: string): Promise<Subscription | null> {
    if (this.#subscriptions.size >= SUBSCRIPTIONS_MAX) return null;
    const streams = await this.#hub.authorize(this.client.viewer, identifier);
    if (streams === null) return null;
    const subscription: Subscription = { client: this.client, identifier, streams };
    const topics = await this.#hub.follow(subscription);
    if (this.#socket === null) {
      this.#hub.unfollow(subscription);
      return subscription;
    }
    this.#subscriptions.set(identifier, { ...subscription, topics, confirmedAtMs: Date.now() });
    const slow = this.#reader === null || this.#hub.slowClients.has(this.#reader);
    if (!slow) for (const topic of topics) this.#socket.subscribe(topic);
    return subscription;
  }

  /** Resumes the subscriptions of an extended client that reconnects. It asks by itself for the messages that it missed. */
  async #resume(): Promise<void> {
    const { sid } = this.client;
    try {
      const saved = await this.#hub.findSavedSubscriptions(this.client);
      const restored: string[] = [];
      for (const identifier of saved ?? [])
        if ((await this.#open(identifier)) !== null) restored.push(identifier);
      this.#send([extWelcome(sid, saved === null ? null : restored)]);
      await this.#hub.saveSubscriptions(this.client, restored);
    } catch (error) {
      this.#hub.log.warn({ err: error }, "the subscriptions of a connection could not be resumed");
      this.#send([extWelcome(sid, null)]);
    }
  }

  #confirmAgain(existing: ActiveSubscription): void {
    const { identifier, confirmedAtMs } = existing;
    if (Date.now() - confirmedAtMs < CONFIRM_AGAIN_AFTER_MS) return;
    this.#subscriptions.set(identifier, { ...existing, confirmedAtMs: Date.now() });
    this.#send([confirmation(identifier)]);
  }

  #unsubscribe(subscription: ActiveSubscription): void {
    this.#subscriptions.delete(subscription.identifier);
    for (const topic of subscription.topics) this.#socket?.unsubscribe(topic);
    this.#hub.unfollow(subscription);
  }

  #send(frames: readonly string[]): void {
    for (const frame of frames) this.#socket?.sendText(frame);
  }

  #logIgnored(what: string): void {
    this.#ignoredCount += 1;
    if (this.#ignoredCount > LOGGED_MAX) return;
    this.#hub.log.warn({ userId: this.client.viewer.id, what }, "ignored a frame on the cable");
  }
}

/** The connection of a client that is refused: disconnects it, without a welcome, so that it does not reconnect. */
export function refusedConnection(reason: "unauthorized" | "invalid_request") {
  return {
    open(socket: CableSocket): void {
      socket.sendText(disconnection(reason));
      socket.close(NORMAL_CLOSURE);
    },
  };
}
