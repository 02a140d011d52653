import type { Logger } from "pino";
import type { Queryable } from "#db/client.ts";
import type { Deps } from "#src/base/deps.ts";
import { readClock } from "#src/base/outbox/outbox-rows.ts";
import { getNumbers, presenceKey } from "#src/base/redis-keys.ts";
import { takeTurn } from "#src/base/redis-script.ts";
import type { RedisClient } from "#src/base/redis.ts";
import { type Broadcast, broadcast } from "#src/base/streams/broadcast.ts";
import { LEADERS_DEFAULT } from "#src/play/leaderboard/contract.ts";
import { findLeaders } from "#src/play/leaderboard/find-scores.ts";
import { findTeams } from "#src/play/teams/find-teams.ts";
import { findEventViews } from "#src/show/events/find-event-views.ts";
import { forSession, type MessageContext, type RecentCall } from "./address-message.ts";
import type { ChangedCall } from "./build-event-messages.ts";
import { readFresh } from "./relay-lease.ts";

const RETRY_MS = 1_000;

type CoalescerDeps = { redis: RedisClient; log: Logger };
type CoalescerOptions = {
  /** Names the rate limit in Redis, which all processes share. */
  name: string;
  everyMs: () => number;
  /** Broadcasts the current value. */
  send: (id: number) => Promise<unknown>;
};

/**
 * Limits how often a value is broadcast that changes often. The first change after a quiet time is sent at once; later ones
 * when `everyMs` have passed since the last message, over all processes together. The last change is always sent.
 * Example: with 250 ms, 100 calls in one second cause about 4 pool messages.
 */
export class Coalescer {
  readonly #deps: CoalescerDeps;
  readonly #options: CoalescerOptions;
  /** Changed since the last message. */
  readonly #changed = new Set<number>();
  /** For each id that is being sent or waits to be sent. */
  readonly #sending = new Map<number, Promise<void>>();
  #stopping = false;

  constructor(deps: CoalescerDeps, options: CoalescerOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  change(id: number): void {
    this.#changed.add(id);
    if (!this.#sending.has(id)) this.#sending.set(id, this.#sendChanges(id));
  }

  /** Resolves when the last changes were sent, or have failed once more. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#sending.values());
  }

  async #sendChanges(id: number): Promise<void> {
    while (this.#changed.has(id)) {
      const outcome = await this.#trySend(id);
      if (outcome === "sent") continue;
      // While stopping, it still waits for the rate limit, but not for a Redis or a database that is away.
      if (outcome === "failed" && this.#stopping) break;
      await Bun.sleep(outcome === "failed" ? RETRY_MS : outcome.waitMs);
    }
    this.#sending.delete(id);
  }

  async #trySend(id: number): Promise<"sent" | "failed" | { waitMs: number }> {
    const { redis, log } = this.#deps;
    const { name, everyMs, send } = this.#options;
    const key = `cable:coalescer:${name}:${id}`;
    try {
      const waitMs = await takeTurn(redis, key, everyMs());
      if (waitMs > 0) return { waitMs };
      this.#changed.delete(id);
      await send(id);
      return "sent";
    } catch (error) {
      this.#changed.add(id);
      log.warn({ err: error, name, id }, "a coalesced message could not be sent; it is tried again");
      return "failed";
    }
  }
}

/** How many of the newest calls a pool message contains. */
const RECENT_CALLS_MAX = 5;

/**
 * Adds the events of these calls to `changedPools`, each with its newest calls for the ticker. Cancelled calls are not
 * among them.
 */
export function collectChangedPools(
  { changedPools }: Pick<MessageContext, "changedPools">,
  changedCalls: readonly ChangedCall[],
): void {
  for (const { call, username } of changedCalls) {
    const recent = changedPools.get(call.eventId) ?? [];
    if (call.state !== "soft_destroyed") {
      const { side, wager, wagerCents } = call;
      recent.push({ username, side, wager, wagerCents });
    }
    changedPools.set(call.eventId, recent.slice(-RECENT_CALLS_MAX));
  }
}

/** A message to the session of an event, with the event's current pool; null if players may not see the event. */
async function buildPoolMessage(
  db: Queryable,
  eventId: number,
  latest: readonly RecentCall[],
): Promise<(Broadcast & { sessionId: number }) | null> {
  const serverTime = await readClock(db);
  const [event] = await findEventViews(db, {
    eventIds: [eventId],
    viewerId: null,
    publishedOnly: true,
    now: new Date(serverTime),
  });
  if (event === undefined || event.sessionId === null) return null;
  const { sessionId, pool, callsCount, version } = event;
  const message = forSession(sessionId, {
    sourceType: "Spot",
    eventType: "pool",
    detail: { eventId, pool, callsCount, latest: [...latest], version, serverTime },
  });
  return { ...message, sessionId };
}

/** A message to a session, with its current leaders, and its teams if it has some. The version is the time of reading. */
export async function buildLeadersMessage(
  deps: Pick<Deps, "pool" | "env">,
  sessionId: number,
): Promise<Broadcast> {
  const serverTime = await readClock(deps.pool.db);
  const [{ leaders, totalCount }, teams] = await Promise.all([
    findLeaders(deps, { sessionId, limit: LEADERS_DEFAULT, viewerId: null }),
    findTeams(deps, sessionId),
  ]);
  const ofTeams = teams.length === 0 ? {} : { teams: [...teams] };
  return forSession(sessionId, {
    sourceType: "Score",
    eventType: "leaders",
    detail: { leaders, totalCount, ...ofTeams, version: Date.parse(serverTime), serverTime },
  });
}

/** In a crowd a message waits as long before it is sent (src/live/cable/fanout.ts), and of an older pool only its offset is sent. */
const EVERY_MS = { least: 250, perPlayer: 0.1, most: 1_000 };

/** Broadcasts the pools of events: at most four times a second for each event, and once a second to 10,000 players. */
export class PoolMessages {
  readonly #deps: Pick<Deps, "pool" | "redis">;
  readonly #coalescer: Coalescer;
  /** By event, the newest calls that were in no pool message yet. */
  readonly #recentCalls = new Map<number, RecentCall[]>();
  /** One session is live at a time: that of the last message. */
  #everyMs = EVERY_MS.least;

  constructor(deps: Pick<Deps, "pool" | "redis" | "log">) {
    this.#deps = deps;
    this.#coalescer = new Coalescer(deps, {
      name: "pool",
      everyMs: () => this.#everyMs,
      send: (eventId) => this.#send(eventId),
    });
  }

  /** The pool of an event has changed. @param calls its newest ones. */
  change(eventId: number, calls: readonly RecentCall[]): void {
    const recent = [...(this.#recentCalls.get(eventId) ?? []), ...calls];
    this.#recentCalls.set(eventId, recent.slice(-RECENT_CALLS_MAX));
    this.#coalescer.change(eventId);
  }

  /** Resolves when the last pools were sent, or have failed once more. */
  stop(): Promise<void> {
    return this.#coalescer.stop();
  }

  async #send(eventId: number): Promise<void> {
    const { pool, redis } = this.#deps;
    const recent = this.#recentCalls.get(eventId) ?? [];
    this.#recentCalls.delete(eventId);
    const message = await readFresh(() => buildPoolMessage(pool.db, eventId, recent));
    if (message === null) return;
    await broadcast(redis, [message]);
    const [players = 0] = await getNumbers(redis, [presenceKey(redis, message.sessionId)]);
    const { least, perPlayer, most } = EVERY_MS;
    this.#everyMs = Math.min(most, Math.max(least, players * perPlayer));
  }
}

const LEADERS_EVERY_MS = 1_000;

/** Broadcasts the leaders of sessions, at most once a second for each. */
export function createLeadersMessages(deps: Pick<Deps, "env" | "pool" | "redis" | "log">): Coalescer {
  return new Coalescer(deps, {
    name: "leaders",
    everyMs: () => LEADERS_EVERY_MS,
    send: async (sessionId) =>
      broadcast(deps.redis, [await readFresh(() => buildLeadersMessage(deps, sessionId))]),
  });
}
