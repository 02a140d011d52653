import type { Logger } from "pino";
import * as v from "valibot";
import { redisScript, runScript } from "#src/base/redis-script.ts";
import type { RedisClient } from "#src/base/redis.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { broadcastControl } from "#src/base/streams/broadcast.ts";
import { gidOf } from "#src/people/sign-ins/viewer.ts";
import { parseJson } from "./frames.ts";
import type { Subscription } from "./hub-api.ts";

const REFRESH_EVERY_MS = 10_000;
/** An entry that is not refreshed expires: its process has died. */
const LIFETIME_MS = 30_000;

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

const scriptResult = v.tupleWithRest([v.picklist([0, 1])], v.string());

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
    return v.parse(scriptResult, await runScript(this.#redis, presenceScript, keys, args));
  }

  #publish({ groups: [{ stream }] }: Subscription, presence: object): Promise<void> {
    return broadcastControl(this.#redis, { stream, presence });
  }
}

function keyOf({ client, identifier }: Subscription): string {
  return `${client.sid} ${identifier}`;
}
