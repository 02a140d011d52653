import type { Deps } from "#src/base/deps.ts";

/** The key of Redis with the name of the process whose turn it is. */
export const TURN_KEY = "watch:turn";
/** Longer than the time between two looks, so that who has the turn keeps it. */
const KEPT_MS = 2_500;
/** A Redis that does not answer keeps nobody from looking. */
const ANSWERS_WITHIN_MS = 300;

/**
 * Takes or keeps the turn of looking at the product as a whole, which one process does for all.
 * @returns true if this process looks, also where Redis cannot say whose turn it is.
 */
export function takeTurn({ redis }: Pick<Deps, "redis">, process: string): Promise<boolean> {
  const taken = keepTurn(redis, process).catch(() => true);
  return Promise.race([taken, Bun.sleep(ANSWERS_WITHIN_MS).then(() => true)]);
}

async function keepTurn(redis: Deps["redis"], process: string): Promise<boolean> {
  if ((await redis.set(TURN_KEY, process, "PX", KEPT_MS, "NX")) === "OK") return true;
  if ((await redis.get(TURN_KEY)) !== process) return false;
  await redis.pexpire(TURN_KEY, KEPT_MS);
  return true;
}
