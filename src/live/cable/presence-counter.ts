import type { Logger } from "pino";
import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { arrivedKey, presenceKey } from "#src/base/redis-keys.ts";
import { redisScript, runScript, TAKE_TURN_LUA } from "#src/base/redis-script.ts";
import type { RedisClient } from "#src/base/redis.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { broadcast, broadcastControl } from "#src/base/streams/broadcast.ts";
import { forSession } from "#src/live/relay/address-message.ts";
import { gidOf } from "#src/people/sign-ins/viewer.ts";
import { parseJson } from "./frames.ts";
import type { Subscription } from "./hub-api.ts";

/** How often changes are counted; a session receives at most one count in this time. */
const COUNT_EVERY_MS = 1_000;
/** How often a process refreshes its players. Those of a process that died expire after the lifetime. */
const REFRESH_EVERY_MS = 10_000;
const LIFETIME_MS = 30_000;
/** Who has come stays on the board of a lobby for so long: phones that are locked there lose their sockets. */
const ARRIVED_FOR_MS = 3 * 3_600_000;

/**
 * KEYS: the count for all readers; the players by process (sorted by expiry); the count that was broadcast last; the rate
 * limit of broadcasts; who has come (sorted by arrival).
 * ARGV: the lifetime and the broadcast interval in milliseconds; this process; the time; for how long who has come is kept; how many
 * players came or are refreshed; their ids; then the ids of those who left.
 * Returns the number of distinct players, and what to do: 0 nothing, 1 broadcast now, 2 broadcast later.
 */
const countScript = redisScript(`${TAKE_TURN_LUA}
local now = tonumber(ARGV[4])
local present = tonumber(ARGV[6])
for i = 7, 6 + present do
  redis.call('ZADD', KEYS[2], now + ARGV[1], ARGV[i] .. ' ' .. ARGV[3])
  redis.call('ZADD', KEYS[5], 'NX', now, ARGV[i])
end
for i = 7 + present, #ARGV do redis.call('ZREM', KEYS[2], ARGV[i] .. ' ' .. ARGV[3]) end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
redis.call('PEXPIRE', KEYS[2], ARGV[1])
local counted, count = {}, 0
for _, member in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  local player = string.match(member, '^%d+')
  if not counted[player] then counted[player] = true; count = count + 1 end
end
for _, player in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '-inf', now - ARGV[5])) do
  if not counted[player] then redis.call('ZREM', KEYS[5], player) end
end
redis.call('PEXPIRE', KEYS[5], ARGV[5])
redis.call('SET', KEYS[1], count, 'PX', ARGV[1])
if tonumber(redis.call('GET', KEYS[3]) or '-1') == count then
  redis.call('PEXPIRE', KEYS[3], ARGV[1])
  return {count, 0}
end
if not takeTurn(KEYS[4], ARGV[2]) then return {count, 2} end
redis.call('SET', KEYS[3], count, 'PX', ARGV[1])
return {count, 1}`);

const scriptResult = v.tuple([v.number(), v.picklist([0, 1, 2])]);
const BROADCAST_NOW = 1;
const BROADCAST_LATER = 2;

type SessionPresence = {
  /** How many sockets of this process each player has. */
  sockets: Map<number, number>;
  /** Who came, or is to be refreshed, and who left since the last count. */
  present: Set<number>;
  left: Set<number>;
  changed: boolean;
};

/**
 * Counts the players who are online in each session, over all processes. The number of distinct players is in Redis under
 * `presence:session:<id>` (no key: 0). A changed count is broadcast to the session, at most once a second.
 */
export class PresenceCounter {
  readonly #redis: RedisClient;
  readonly #log: Logger;
  readonly #process = crypto.randomUUID();
  readonly #sessions = new Map<number, SessionPresence>();
  #counting: Timer | undefined;
  #refreshing: Timer | undefined;
  readonly #refresh = () => {
    for (const session of this.#sessions.values()) {
      for (const userId of session.sockets.keys()) session.present.add(userId);
      session.changed = true;
    }
  };

  constructor({ redis, log }: { redis: RedisClient; log: Logger }) {
    this.#redis = redis;
    this.#log = log;
  }

  /** To be called once. */
  start(): void {
    this.#counting ??= setInterval(() => void this.#countChanged(), COUNT_EVERY_MS);
    this.#refreshing ??= setInterval(this.#refresh, REFRESH_EVERY_MS);
    // A restarted Redis may have lost all players.
    this.#redis.on("ready", this.#refresh);
  }

  /** Adds one socket of a player. */
  enter(sessionId: number, userId: number): void {
    const session = this.#sessions.get(sessionId) ?? createPresence();
    this.#sessions.set(sessionId, session);
    const sockets = (session.sockets.get(userId) ?? 0) + 1;
    session.sockets.set(userId, sockets);
    if (sockets > 1) return;
    session.present.add(userId);
    session.left.delete(userId);
    session.changed = true;
  }

  /** Removes one socket of a player. */
  leave(sessionId: number, userId: number): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return;
    const remaining = (session.sockets.get(userId) ?? 0) - 1;
    if (remaining > 0) {
      session.sockets.set(userId, remaining);
      return;
    }
    session.sockets.delete(userId);
    session.present.delete(userId);
    session.left.add(userId);
    session.changed = true;
  }

  /** Removes all players of this process, and counts once more. */
  async stop(): Promise<void> {
    clearInterval(this.#counting);
    clearInterval(this.#refreshing);
    this.#redis.off("ready", this.#refresh);
    for (const session of this.#sessions.values()) {
      for (const userId of session.sockets.keys()) session.left.add(userId);
      session.sockets.clear();
      session.present.clear();
      session.changed = true;
    }
    await this.#countChanged();
  }

  async #countChanged(): Promise<void> {
    const changed = [...this.#sessions].filter(([, session]) => session.changed);
    await Promise.all(changed.map(([sessionId, session]) => this.#count(sessionId, session)));
  }

  async #count(sessionId: number, session: SessionPresence): Promise<void> {
    session.changed = false;
    const [present, left] = [[...session.present], [...session.left]];
    session.present.clear();
    session.left.clear();
    try {
      const [players, action] = await this.#countInRedis(sessionId, present, left);
      if (action === BROADCAST_NOW) await this.#broadcast(sessionId, players);
      if (action === BROADCAST_LATER) session.changed = true;
      if (session.sockets.size === 0 && !session.changed) this.#sessions.delete(sessionId);
    } catch (error) {
      this.#log.debug(
        { err: error, sessionId },
        "the presence could not be counted; the next pass tries again",
      );
      for (const userId of left) if (!session.sockets.has(userId)) session.left.add(userId);
      for (const userId of present) if (session.sockets.has(userId)) session.present.add(userId);
      session.changed = true;
    }
  }

  async #countInRedis(sessionId: number, present: number[], left: number[]) {
    const key = presenceKey(this.#redis, sessionId);
    const arrived = arrivedKey(this.#redis, sessionId);
    const keys = [key, `${key}:players`, `${key}:broadcast`, `${key}:limit`, arrived];
    const now = serverNow().getTime();
    const times = [LIFETIME_MS, COUNT_EVERY_MS, this.#process, now, ARRIVED_FOR_MS];
    const args = [...times, present.length, ...present, ...left];
    return v.parse(scriptResult, await runScript(this.#redis, countScript, keys, args));
  }

  #broadcast(sessionId: number, playersOnline: number): Promise<unknown> {
    const now = serverNow();
    const message = forSession(sessionId, {
      sourceType: "Presence",
      eventType: "count",
      detail: { playersOnline, version: now.getTime(), serverTime: now.toISOString() },
    });
    return broadcast(this.#redis, [message]);
  }
}

function createPresence(): SessionPresence {
  return { sockets: new Map(), present: new Set(), left: new Set(), changed: true };
}

/** A player without a page counts as online for so long after a move. */
const MOVED_FOR_MS = 120_000;

/**
 * Counts a player who has no page among those who are online in a session, because the player has just made a move: a robot. The
 * processes with pages of the session count it with their next pass.
 */
export async function notePresence(
  { redis }: Pick<Deps, "redis">,
  { sessionId, userId }: { sessionId: number; userId: number },
): Promise<void> {
  const key = `${presenceKey(redis, sessionId)}:players`;
  await redis.zadd(key, serverNow().getTime() + MOVED_FOR_MS, `${userId} robots`);
  await redis.pexpire(key, MOVED_FOR_MS);
}

/**
 * KEYS: the hash of present players, by connection.
 * ARGV: `join`, `leave` or `list`; the connection; the player's id; the player's info; the lifetime in milliseconds; the time.
 * Returns 1 if the player came or left with this connection, as the only one; after it, for `list`, each id and its info.
 */
const presenceScript = redisScript(`
local now = tonumber(ARGV[6])
local by, elsewhere = {}, false
for _, sid in ipairs(redis.call('HKEYS', KEYS[1])) do
  local record = cjson.decode(redis.call('HGET', KEYS[1], sid))
  if record[3] < now then redis.call('HDEL', KEYS[1], sid)
  else
    by[record[1]] = record[2]
    if record[1] == ARGV[3] and sid ~= ARGV[2] then elsewhere = true end
  end
end
local here = by[ARGV[3]] ~= nil
if ARGV[1] == 'join' then
  redis.call('HSET', KEYS[1], ARGV[2], cjson.encode({ARGV[3], ARGV[4], now + ARGV[5]}))
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
  return {here and 0 or 1}
elseif ARGV[1] == 'leave' then
  redis.call('HDEL', KEYS[1], ARGV[2])
  return {(here and not elsewhere) and 1 or 0}
end
local list = {0}
for id, info in pairs(by) do
  list[#list + 1] = id
  list[#list + 1] = info
end
return list`);

const listResult = v.tupleWithRest([v.picklist([0, 1])], v.string());

/**
 * AnyCable's presence feature: the players whose extended clients have joined the presence of a channel. It is independent
 * of the game's own count of players (PresenceCounter), which counts subscriptions.
 */
export class PresenceList {
  readonly #redis: RedisClient;
  readonly #log: Logger;
  /** The subscriptions of this process that have joined. */
  readonly #present = new Map<string, Subscription>();
  #refreshing: Timer | undefined;

  constructor({ redis, log }: { redis: RedisClient; log: Logger }) {
    this.#redis = redis;
    this.#log = log;
  }

  start(): void {
    this.#refreshing ??= setInterval(() => {
      for (const subscription of this.#present.values())
        this.#run("join", subscription).catch((error: unknown) =>
          this.#log.debug({ err: error }, "a presence could not be refreshed; the next pass tries again"),
        );
    }, REFRESH_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#refreshing);
  }

  /** Adds a player. If the player was not present yet, all extended clients receive it. Rejects while Redis is away. */
  async join(subscription: Subscription): Promise<void> {
    this.#present.set(keyOf(subscription), subscription);
    const [came] = await this.#run("join", subscription);
    const { id, username } = subscription.client.viewer;
    if (came === 1) await this.#publish(subscription, { type: "join", id: gidOf(id), info: { username } });
  }

  /** Removes a player who has left or lost the connection. If it was the last connection, all extended clients receive it. */
  async leave(subscription: Subscription): Promise<void> {
    if (!this.#present.delete(keyOf(subscription))) return;
    try {
      const [left] = await this.#run("leave", subscription);
      if (left === 1)
        await this.#publish(subscription, { type: "leave", id: gidOf(subscription.client.viewer.id) });
    } catch (error) {
      this.#log.debug({ err: error }, "a presence could not be removed; it expires");
    }
  }

  /** The present players, in the format of AnyCable's clients. */
  async list(subscription: Subscription): Promise<object> {
    const [, ...list] = await this.#run("list", subscription);
    const records = list.flatMap((id, index) =>
      index % 2 === 0 ? [{ id, info: parseJson(list[index + 1] ?? "null") }] : [],
    );
    return { type: "info", total: records.length, records };
  }

  async #run(operation: "join" | "leave" | "list", subscription: Subscription) {
    const { id, username } = subscription.client.viewer;
    const info = JSON.stringify({ username });
    const now = serverNow().getTime();
    const args = [operation, keyOf(subscription), gidOf(id), info, LIFETIME_MS, now];
    const keys = [`${subscription.groups[0].stream}:present`];
    return v.parse(listResult, await runScript(this.#redis, presenceScript, keys, args));
  }

  #publish({ groups: [{ stream }] }: Subscription, presence: object): Promise<void> {
    return broadcastControl(this.#redis, { stream, presence });
  }
}

function keyOf({ client, identifier }: Subscription): string {
  return `${client.sid} ${identifier}`;
}
