import type { Logger } from "pino";
import * as v from "valibot";
import { connect, type DatabasePool } from "#db/client.ts";
import type { Env } from "#src/settings/env.ts";

// Decision: a replica is used only where it is known to have everything that was committed two seconds ago. How far it is behind is
// not asked for each request: the position of the primary's log is noted twice a second, and the replica is as fresh as the newest
// note that it has passed. So an idle primary, a slow replica and one that has lost its primary are distinguished without their clocks.

/** Older states than this are read from the primary. */
export const REPLICA_LAG_MAX_MS = 2_000;
const ASK_EVERY_MS = 500;
/** Notes that a slow replica has not passed yet; older ones would be of no use. */
const NOTES_MAX = 16;

const positionRow = v.tuple([
  v.object({
    position: v.nullable(
      v.pipe(
        v.string(),
        v.transform((text) => BigInt(text)),
      ),
    ),
  }),
]);

export type Replica = {
  /** Its pool, if it is at most REPLICA_LAG_MAX_MS behind at this moment; otherwise null. */
  pool: () => DatabasePool | null;
  stop: () => Promise<void>;
};

/** Follows the replica of the settings; undefined without one. */
export function followReplica({ env, pool, log }: ReplicaDeps): Replica | undefined {
  if (env.replicaDatabaseUrl === null) return undefined;
  const replica = connect(env.replicaDatabaseUrl, { silentAfterMs: env.databaseSilentMs });
  let notes: { atMs: number; position: bigint }[] = [];
  let freshAtMs = Number.NEGATIVE_INFINITY;
  let wasUsable = true;
  let asked: Promise<void> | null = null;
  const isUsable = () => performance.now() - freshAtMs <= REPLICA_LAG_MAX_MS;

  const ask = async () => {
    try {
      const atMs = performance.now();
      const written = await readWritten(pool);
      if (written !== null) notes = [...notes.slice(1 - NOTES_MAX), { atMs, position: written }];
      const replayed = (await readReplayed(replica)) ?? -1n;
      freshAtMs = Math.max(
        freshAtMs,
        notes.findLast(({ position }) => position <= replayed)?.atMs ?? freshAtMs,
      );
    } catch (error) {
      log.debug({ err: error }, "the replica or its primary does not answer");
    }
    if (isUsable() === wasUsable) return;
    wasUsable = !wasUsable;
    log.warn(
      wasUsable
        ? "the replica has caught up"
        : "the replica is away or behind; the primary answers its reads",
    );
  };
  const timer = setInterval(() => {
    asked ??= ask().finally(() => (asked = null));
  }, ASK_EVERY_MS);
  timer.unref();
  return {
    pool: () => (isUsable() ? replica : null),
    stop: async () => {
      clearInterval(timer);
      await replica.close();
    },
  };
}

type ReplicaDeps = {
  env: Pick<Env, "replicaDatabaseUrl" | "databaseSilentMs">;
  /** Of the primary. */
  pool: DatabasePool;
  log: Logger;
};

/** Of everything committed by now, also by commits that have not waited for the disk. */
async function readWritten({ sql }: DatabasePool): Promise<bigint | null> {
  return positionIn(await sql`SELECT (pg_current_wal_insert_lsn() - '0/0')::text AS position`);
}

/** Null on a server that is no replica, or no more. */
async function readReplayed({ sql }: DatabasePool): Promise<bigint | null> {
  return positionIn(
    await sql`SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::text END AS position`,
  );
}

function positionIn(rows: unknown): bigint | null {
  return v.parse(positionRow, Array.isArray(rows) ? [...rows] : rows)[0].position;
}
