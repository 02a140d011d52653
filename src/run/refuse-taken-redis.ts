import { once } from "node:events";
import { asTyped } from "#src/base/as-typed.ts";
import { claimRedis, readInstallation, TAKEN_CURE, takenBy } from "#src/base/claim-redis.ts";
import type { Deps } from "#src/base/deps.ts";
import { refuseStart, waitAtStart } from "./refuse-start.ts";

/** An emptied Redis belongs to nobody until then. */
const LOOK_EVERY_MS = 5_000;
/** How long a Redis that has taken the connection is waited for. It answers, or is away, within 2 s for each of three questions. */
const ANSWER_WITHIN_MS = 5_000;

/**
 * Ends this process if Redis belongs to another installation. Returns when that is known. While Redis is away it returns after 2 s, and
 * looks again as long as the process runs.
 */
export async function refuseTakenRedis(deps: Pick<Deps, "env" | "pool" | "redis" | "log">): Promise<void> {
  // It is in the data folder, and nobody else reaches it.
  if (deps.env.embedded.redis) return;
  const look = createLook(deps);
  setInterval(() => void look(), LOOK_EVERY_MS).unref();
  const { redis } = deps;
  const first = redis.status === "ready" ? look() : once(redis, "ready").then(look, () => undefined);
  await waitAtStart(first);
  if (redis.status === "connect" || redis.status === "ready") await waitAtStart(first, ANSWER_WITHIN_MS);
}

function createLook({ env, pool, redis, log }: Pick<Deps, "env" | "pool" | "redis" | "log">) {
  let id: string | null = null;
  let looking: Promise<void> | null = null;
  const look = async () => {
    try {
      id ??= await readInstallation(pool.db);
      const other = await claimRedis(redis, { id, publicUrl: env.publicUrl });
      if (other === null) return;
      await refuseStart(asTyped(`${takenBy(other)} ${TAKEN_CURE}`), String(log.bindings()["name"]), pool);
    } catch (error) {
      log.debug({ err: error }, "it is not known whose Redis this is");
    }
  };
  return () => (looking ??= look().finally(() => (looking = null)));
}
