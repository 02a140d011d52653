import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import type { RedisClient } from "#src/base/redis.ts";
import { HISTORY_S } from "#src/base/streams/stream-offsets.ts";
import type { History } from "./catch-up.ts";
import { authorizeChannel, type ChannelStreams } from "./channels.ts";
import type { Hold } from "./fanout.ts";
import { delivery, parseJson, rejection } from "./frames.ts";
import { type CableClient, type CableSocket, type HubApi, ownerOf, type Subscription } from "./hub-api.ts";
import type { SocketReader } from "./slow-clients.ts";

/** Of one connection. */
export const SUBSCRIPTIONS_MAX = 100;
/** A client that subscribes again this long after the last confirmation has lost it. */
const CONFIRM_AGAIN_AFTER_MS = 2_000;
/** A client whose subscriptions were resumed asks for their history at once. Without that, live messages wait no longer. */
const HISTORY_WITHIN_MS = 2_000;

export type OpenSubscription = Subscription & {
  confirmedAtMs: number;
  /** Live messages wait here until the client has its history; null: they are sent as they come. */
  hold: Hold | null;
};

/** The connection that has the subscriptions. */
export type SubscriptionOwner = {
  readonly client: CableClient;
  /** Null once the connection is closed. */
  readonly socket: CableSocket | null;
  /** The client as one that reads slowly; null for all others. */
  readonly slowReader: SocketReader | null;
  /** False for a client that was disconnected as too slow: it gets no more messages. */
  readonly receives: boolean;
};

/** The subscriptions of one connection, and the topics that its socket receives for them. */
export class OpenSubscriptions {
  readonly #hub: HubApi;
  readonly #owner: SubscriptionOwner;
  /** A client has one to three. */
  #list: OpenSubscription[] = [];

  constructor(hub: HubApi, owner: SubscriptionOwner) {
    this.#hub = hub;
    this.#owner = owner;
  }

  get identifiers(): string[] {
    return this.#list.map(({ identifier }) => identifier);
  }

  /** The sessions that the client follows. */
  get sessionIds(): number[] {
    return this.#list.flatMap(({ sessionId }) => sessionId ?? []);
  }

  /** Ends what the client follows of a session, as if it had never been allowed to. */
  shut(sessionId: number): void {
    for (const subscription of this.#list.filter((each) => each.sessionId === sessionId)) {
      this.close(subscription);
      this.#owner.socket?.sendText(rejection(subscription.identifier));
    }
  }

  /** The topics whose messages are sent as they come. */
  get topics(): string[] {
    return this.#list.flatMap((each) => (each.hold === null ? topicsOf(each) : []));
  }

  get(identifier: string): OpenSubscription | undefined {
    return this.#list.find((each) => each.identifier === identifier);
  }

  /** Whether a client that subscribes again is to get another confirmation; it counts as sent. */
  confirmsAgain(existing: OpenSubscription): boolean {
    if (Date.now() - existing.confirmedAtMs < CONFIRM_AGAIN_AFTER_MS) return false;
    existing.confirmedAtMs = Date.now();
    return true;
  }

  /**
   * Opens a subscription. @param held its live messages wait for the history.
   * @returns null if the client may not have it, or has the same channel under another name: JSON with other blanks, an id for a slug.
   */
  async open(identifier: string, { held }: { held: boolean }): Promise<OpenSubscription | null> {
    if (this.#list.length >= SUBSCRIPTIONS_MAX) return null;
    const streams = await this.#authorize(identifier);
    return streams === null || this.#has(streams) ? null : this.#follow(identifier, streams, held);
  }

  #authorize(identifier: string): Promise<ChannelStreams | null> {
    return authorizeChannel(this.#hub.deps.pool.db, this.#owner.client, identifier);
  }

  #has({ streams: [first] }: ChannelStreams): boolean {
    return this.#list.some(({ groups }) => groups[0].stream === first);
  }

  /** Opens those of the subscriptions that the client may still have. Their live messages wait for the history. */
  async resume(identifiers: readonly string[]): Promise<OpenSubscription[]> {
    const some = identifiers.slice(0, SUBSCRIPTIONS_MAX);
    const allowed = await Promise.all(some.map((identifier) => this.#authorize(identifier)));
    const resumed: OpenSubscription[] = [];
    for (const [index, streams] of allowed.entries())
      if (streams !== null && !this.#has(streams))
        resumed.push(await this.#follow(some[index] ?? "", streams, true));
    setTimeout(() => {
      for (const subscription of resumed) this.#release(subscription, new Map());
    }, HISTORY_WITHIN_MS).unref();
    return resumed;
  }

  close(subscription: OpenSubscription): void {
    this.#list = this.#list.filter((each) => each !== subscription);
    for (const topic of topicsOf(subscription)) this.#owner.socket?.unsubscribe(topic);
    this.#end(subscription);
  }

  closeAll(): void {
    for (const subscription of this.#list) this.#end(subscription);
    this.#list = [];
  }

  /** Sends the history of a subscription. Live messages that arrive meanwhile are sent after it, and none twice. */
  async sendHistory(subscription: OpenSubscription, read: () => Promise<History>): Promise<void> {
    this.#holdBack(subscription);
    let sentUpTo: History["sentUpTo"] = new Map();
    try {
      const history = await read();
      for (const frame of history.frames) this.#owner.socket?.sendText(frame);
      ({ sentUpTo } = history);
    } finally {
      this.#release(subscription, sentUpTo);
    }
  }

  async #follow(identifier: string, streams: ChannelStreams, held: boolean): Promise<OpenSubscription> {
    const followed = await this.#hub.follow(this.#owner.client, identifier, streams);
    const opened: OpenSubscription = { ...followed, confirmedAtMs: Date.now(), hold: null };
    if (held) opened.hold = this.#hub.heldMessages.hold(topicsOf(opened));
    if (this.#owner.socket === null) this.#end(opened);
    else {
      this.#list.push(opened);
      if (!held) this.#join(opened);
    }
    return opened;
  }

  #end(subscription: OpenSubscription): void {
    if (subscription.hold !== null) this.#hub.heldMessages.release(subscription.hold);
    subscription.hold = null;
    this.#hub.unfollow(subscription);
  }

  #holdBack(subscription: OpenSubscription): void {
    if (subscription.hold !== null) return;
    const topics = topicsOf(subscription);
    subscription.hold = this.#hub.heldMessages.hold(topics);
    for (const topic of topics) this.#owner.socket?.unsubscribe(topic);
  }

  /** Sends what has waited for the history, without what the history had already, and lets messages through again. */
  #release(subscription: OpenSubscription, sentUpTo: History["sentUpTo"]): void {
    const { hold, identifier } = subscription;
    if (hold === null) return;
    subscription.hold = null;
    const waited = this.#hub.heldMessages.release(hold);
    const { socket, slowReader, receives, client } = this.#owner;
    if (socket === null || !receives) return;
    for (const each of waited) {
      const sent = sentUpTo.get(each.stream);
      if (sent?.epoch === each.message.epoch && each.message.offset <= sent.offset) continue;
      if (slowReader !== null) this.#hub.slowClients.bufferFor(slowReader, each);
      else socket.sendText(delivery(client.protocol, identifier, each));
    }
    this.#join(subscription);
  }

  /** A slow client gets the messages of its topics from its backlog. */
  #join(subscription: OpenSubscription): void {
    const { socket, slowReader, receives } = this.#owner;
    if (socket === null || slowReader !== null || !receives) return;
    for (const topic of topicsOf(subscription)) socket.subscribe(topic);
  }
}

function topicsOf({ groups }: Subscription): string[] {
  return groups.map(({ topic }) => topic);
}

const savedSubscriptions = v.object({
  userId: v.number(),
  signInId: v.nullable(v.string()),
  identifiers: v.array(v.string()),
});

/**
 * Stores the subscriptions of a connection under its `sid`, for as long as the history of streams. A client that reconnects
 * with this `sid` in time resumes them, in any process. Without Redis nothing is stored, and the client subscribes again.
 */
export async function saveSubscriptions(
  { redis, log }: Pick<Deps, "redis" | "log">,
  { sid, viewer, ...client }: CableClient,
  identifiers: readonly string[],
): Promise<void> {
  const text = JSON.stringify({ userId: viewer.id, signInId: ownerOf(client), identifiers });
  try {
    await redis.set(keyOf(sid), text, "EX", HISTORY_S);
  } catch (error) {
    log.debug({ err: error }, "the subscriptions of a connection could not be stored; it cannot be resumed");
  }
}

/**
 * Takes the subscriptions of the client's previous connection, if it had the same sign-in; else null. They can be taken once,
 * because resuming them is more work than a handshake. Rejects while Redis is away.
 */
export async function takeSavedSubscriptions(
  redis: RedisClient,
  { previousSid, viewer, ...client }: CableClient,
): Promise<string[] | null> {
  if (previousSid === null) return null;
  const parsed = v.safeParse(savedSubscriptions, parseJson((await redis.get(keyOf(previousSid))) ?? ""));
  if (!parsed.success || parsed.output.userId !== viewer.id || parsed.output.signInId !== ownerOf(client))
    return null;
  const isFirst = (await redis.del(keyOf(previousSid))) === 1;
  return isFirst ? parsed.output.identifiers : null;
}

function keyOf(sid: string): string {
  return `cable:connection:${sid}`;
}
