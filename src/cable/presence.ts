import type { Redis } from "ioredis";
import type { Logger } from "pino";
import * as v from "valibot";
import { forSession } from "#src/relay/address-message.ts";
import type { SessionMessage } from "#src/relay/schemas.ts";
import { broadcast } from "#src/streams/broadcast.ts";

/** How often changes are counted, and how often at most a session is told. */
const COUNT_EVERY_MS = 1_000;
/** How often a process says that its players are still there; one that died is forgotten after the lifetime. */
const REFRESH_EVERY_MS = 10_000;
const LIFETIME_MS = 30_000;

/**
 * KEYS: the count for everybody to read, the players by process (sorted by when they are forgotten), the count that was told
 * last, the right to tell. ARGV: lifetime and telling interval in milliseconds, this process, how many came or stay; these,
 * then those who left. Answers the number of distinct players, and 1 where the session is to be told.
 */
const COUNT_SCRIPT = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local here = tonumber(ARGV[4])
for i = 5, 4 + here do redis.call('ZADD', KEYS[2], now + ARGV[1], ARGV[i] .. ' ' .. ARGV[3]) end
for i = 5 + here, #ARGV do redis.call('ZREM', KEYS[2], ARGV[i] .. ' ' .. ARGV[3]) end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
redis.call('PEXPIRE', KEYS[2], ARGV[1])
local seen, count = {}, 0
for _, member in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  local player = string.match(member, '^%d+')
  if not seen[player] then seen[player] = true; count = count + 1 end
end
redis.call('SET', KEYS[1], count, 'PX', ARGV[1])
if tonumber(redis.call('GET', KEYS[3]) or '-1') == count then
  redis.call('PEXPIRE', KEYS[3], ARGV[1])
  return {count, 0}
end
if not redis.call('SET', KEYS[4], 1, 'NX', 'PX', ARGV[2]) then return {count, 2} end
redis.call('SET', KEYS[3], count, 'PX', ARGV[1])
return {count, 1}`;

const counted = v.tuple([v.number(), v.picklist([0, 1, 2])]);
const TELL = 1;
const TELL_LATER = 2;

/** The sockets of this process that listen to one session, by player. */
type Room = { sockets: Map<number, number>; left: Set<number>; changed: boolean };

/**
 * Counts who is online in each session, over all processes. The number of distinct players stands in Redis under
 * `presence:session:<id>` (no key: nobody), and listeners hear of a change at most once a second.
 */
export class Presence {
  readonly #redis: Redis;
  readonly #log: Logger;
  readonly #process = crypto.randomUUID();
  readonly #rooms = new Map<number, Room>();
  #counting: Timer | undefined;
  #refreshing: Timer | undefined;
  readonly #refresh = () => {
    for (const room of this.#rooms.values()) room.changed = true;
  };

  constructor({ redis, log }: { redis: Redis; log: Logger }) {
    this.#redis = redis;
    this.#log = log;
  }

  /** To be called once. */
  start(): void {
    this.#counting ??= setInterval(() => void this.#countChanged(), COUNT_EVERY_MS);
    this.#refreshing ??= setInterval(this.#refresh, REFRESH_EVERY_MS);
    // A Redis that comes back may have forgotten everybody.
    this.#redis.on("ready", this.#refresh);
  }

  /** One more socket of this player listens to the session. */
  enter(sessionId: number, userId: number): void {
    const room = this.#rooms.get(sessionId) ?? { sockets: new Map(), left: new Set(), changed: true };
    this.#rooms.set(sessionId, room);
    room.sockets.set(userId, (room.sockets.get(userId) ?? 0) + 1);
    room.left.delete(userId);
    room.changed = true;
  }

  /** One socket less. */
  leave(sessionId: number, userId: number): void {
    const room = this.#rooms.get(sessionId);
    if (room === undefined) return;
    const left = (room.sockets.get(userId) ?? 0) - 1;
    if (left > 0) {
      room.sockets.set(userId, left);
      return;
    }
    room.sockets.delete(userId);
    room.left.add(userId);
    room.changed = true;
  }

  /** Says goodbye for everybody here. */
  async stop(): Promise<void> {
    clearInterval(this.#counting);
    clearInterval(this.#refreshing);
    this.#redis.off("ready", this.#refresh);
    for (const room of this.#rooms.values()) {
      for (const userId of room.sockets.keys()) room.left.add(userId);
      room.sockets.clear();
      room.changed = true;
    }
    await this.#countChanged();
  }

  async #countChanged(): Promise<void> {
    const changed = [...this.#rooms].filter(([, room]) => room.changed);
    await Promise.all(changed.map(([sessionId, room]) => this.#count(sessionId, room)));
  }

  async #count(sessionId: number, room: Room): Promise<void> {
    room.changed = false;
    const left = [...room.left];
    room.left.clear();
    try {
      const [players, tell] = await this.#countInRedis(sessionId, [...room.sockets.keys()], left);
      if (tell === TELL) await this.#tell(sessionId, players);
      if (tell === TELL_LATER) room.changed = true;
      if (room.sockets.size === 0 && !room.changed) this.#rooms.delete(sessionId);
    } catch (error) {
      this.#log.debug({ err: error, sessionId }, "presence is counted again later");
      for (const userId of left) if (!room.sockets.has(userId)) room.left.add(userId);
      room.changed = true;
    }
  }

  async #countInRedis(sessionId: number, here: number[], left: number[]) {
    const key = `presence:session:${sessionId}`;
    const keys = [key, `${key}:players`, `${key}:told`, `${key}:turn`];
    return v.parse(
      counted,
      await this.#redis.eval(
        COUNT_SCRIPT,
        keys.length,
        ...keys,
        LIFETIME_MS,
        COUNT_EVERY_MS,
        this.#process,
        here.length,
        ...here,
        ...left,
      ),
    );
  }

  #tell(sessionId: number, playersOnline: number): Promise<void> {
    const now = new Date();
    return broadcastToSession(this.#redis, sessionId, {
      sourceType: "Presence",
      eventType: "count",
      detail: { playersOnline, version: now.getTime(), serverTime: now.toISOString() },
    });
  }
}

/** Tells everybody who listens to a session. Rejects while Redis is away. */
export function broadcastToSession(redis: Redis, sessionId: number, message: SessionMessage): Promise<void> {
  return broadcast(redis, [forSession(sessionId, message)]);
}
