import type { DatabasePool } from "#db/client.ts";
import { jobKinds, type Queues } from "#jobs/queues.ts";
import type { Deps } from "#src/base/deps.ts";
import { unreachableRedis } from "#src/base/redis.ts";
import type { Store } from "#src/base/store.ts";
import type { Env } from "#src/settings/env.ts";
import type { VirtualQueue } from "./virtual-queue.ts";

// Decision: a dry run plays the real verbs and SQL, and only its dependencies differ. Verbs read no clock but `game_now()`, and
// everything random follows from the seed. So the same seed gives the same bytes, and the tests' simulator is the same code.

/** What nothing of a simulated show may reach. */
function outside(what: string): () => Promise<never> {
  return () => Promise.reject(new Error(`a simulated show has no ${what}`));
}

const store: Store = {
  put: outside("store"),
  get: outside("store"),
  remove: outside("store"),
  trouble: () => null,
};

/**
 * The dependencies of a show that touches nothing of the product: its own database, a Redis that is away (the database's locks
 * decide), alarms in memory, and no mails, pushes, pictures or broadcasts.
 * @param env with a secret that only the seed decides: it chooses random results.
 */
export function virtualDeps(
  { env, log }: { env: Env; log: Deps["log"] },
  { pool, setAlarm }: { pool: DatabasePool } & Pick<VirtualQueue, "setAlarm">,
): Deps {
  return {
    env,
    pool,
    redis: unreachableRedis(),
    queues: virtualQueues(setAlarm),
    store,
    log: log.child({}, { level: "silent" }),
    notifyRelay: () => undefined,
  };
}

/** Only alarms are set. A queue that is new in the product is refused here until somebody decides what it does. */
function virtualQueues(setAlarm: VirtualQueue["setAlarm"]): Queues {
  // As `unknown[][]`, because Object.fromEntries cannot type each key by itself.
  const refused: unknown[][] = jobKinds.map((kind) => [kind, outside(kind)]);
  const producers: Omit<Queues, "byName" | "close"> = Object.fromEntries(refused);
  return {
    ...producers,
    setAlarm,
    // The simulation pays by itself, in the order of the decisions (pay-decided.ts).
    paySettlement: () => Promise.resolve(),
    get byName(): never {
      throw new Error("a simulated show has no BullMQ queues");
    },
    close: () => Promise.resolve(),
  };
}
