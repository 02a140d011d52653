import { redisScript, runScript } from "./redis-script.ts";
import type { RedisClient } from "./redis.ts";

// Decision: Redis's clock only ends keys. What is waited for until a key ends is never waited for longer than its lifetime: after the
// clock was set back, or at a new master whose clock is behind, a key may last for as long as the difference.

/**
 * `takeTurn(key, everyMs)`: true for one caller within this time, of all processes; nil for the others, until the key ends. Part of
 * a script.
 */
export const TAKE_TURN_LUA = `
local function takeTurn(key, everyMs)
  if redis.call('PTTL', key) > tonumber(everyMs) then redis.call('DEL', key) end
  return redis.call('SET', key, 1, 'NX', 'PX', everyMs)
end`;

const turnScript = redisScript(`${TAKE_TURN_LUA}
if takeTurn(KEYS[1], ARGV[1]) then return 0 end
return math.max(1, redis.call('PTTL', KEYS[1]))`);

/**
 * Takes the turn of this key, which comes once within this time for all processes together. Rejects while Redis is away.
 * @returns 0 if it was taken; otherwise how long to wait, in milliseconds.
 */
export async function takeTurn(redis: RedisClient, key: string, everyMs: number): Promise<number> {
  return Number(await runScript(redis, turnScript, [key], [everyMs]));
}
