import { startRedisCluster } from "#tests/proofs/engines/redis-cluster.ts";

/** The Redis of the machines: a cluster of three masters, each with a replica. */
export type RedisOfMachines = {
  url: string;
  /** Kills one of the masters. Its replica takes over. */
  killMaster: () => Promise<unknown>;
  stop: () => Promise<void>;
};

export async function startRedisOfMachines(): Promise<RedisOfMachines> {
  const cluster = await startRedisCluster();
  return { url: cluster.url, killMaster: () => cluster.killMaster(KEY), stop: cluster.stop };
}

/** Any key names a master. */
const KEY = "outbox";
