import { connect, type DatabasePool } from "#db/client.ts";
import type { Deps } from "#src/base/deps.ts";

/** The product at another time. Its verbs read `game_now()` and so write history as if it were happening. No job is queued. */
export type Past = {
  /** For the verbs: one connection with a stopped clock, without alarms and without a relay. */
  deps: Deps;
  pool: DatabasePool;
  /** Sets the clock of this connection only. */
  setClock: (moment: Date) => Promise<void>;
  close: () => Promise<void>;
};

/** Opens one connection for the past. */
export function openPast(deps: Deps): Past {
  const pool = connect(deps.env.ownerDatabaseUrl, { poolSize: 1 });
  return {
    pool,
    deps: {
      ...deps,
      pool,
      queues: {
        ...deps.queues,
        setAlarm: () => Promise.resolve(),
        paySettlement: () => Promise.resolve(),
      },
      notifyRelay: () => undefined,
    },
    setClock: async (moment) => {
      await pool.sql`SELECT set_config('called_it.clock', ${moment.toISOString()}, false)`;
    },
    close: pool.close,
  };
}
