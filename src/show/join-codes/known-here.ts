import type { Deps } from "#src/base/deps.ts";
import { networkOf } from "#src/settings/networks.ts";

const DAY_S = 86_400;

type KnownDeps = Pick<Deps, "redis" | "log">;

/** Notes for a day that somebody at this address has a code, or was shown it. Without Redis nothing is noted. */
export async function noteKnownHere({ redis, log }: KnownDeps, address: string, code: string): Promise<void> {
  if (address === "") return;
  try {
    await redis.set(keyOf(address, code), "1", "EX", DAY_S);
  } catch (error) {
    log.debug({ err: error }, "an address could not be noted as one that has a join code");
  }
}

/** True if somebody at this address has had the code within the last day. */
export async function isKnownHere(
  { redis, log }: KnownDeps,
  address: string,
  code: string,
): Promise<boolean> {
  try {
    return (await redis.exists(keyOf(address, code))) > 0;
  } catch (error) {
    log.debug({ err: error }, "whether an address has a join code is not known");
    return false;
  }
}

function keyOf(address: string, code: string): string {
  return `join:${networkOf(address)}:${code}`;
}
