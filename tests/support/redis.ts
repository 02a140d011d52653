import { once } from "node:events";
import path from "node:path";
import { makeDataDir, dataFolderOf } from "#db/embedded/data-folder.ts";
import { startRedis } from "#db/embedded/redis.ts";
import { connectRedis, pingRedis, type RedisClient } from "#src/base/redis.ts";
import { testServers } from "./servers.ts";
import { waitFor } from "./wait-for.ts";

/** A separate, empty Redis process. */
export type TestRedis = {
  url: string;
  /** A connection for commands, ready to use. */
  redis: RedisClient;
  /** The server's process id, for tests that pause or kill it. */
  pid: number;
  stop: () => Promise<void>;
};

/** Starts a Redis in about 15 ms. It stores nothing on disk. The caller stops it. */
export async function createTestRedis(): Promise<TestRedis> {
  const { folder } = await testServers();
  const dataFolder = dataFolderOf(path.join(folder, crypto.randomUUID().slice(0, 8)));
  makeDataDir(dataFolder.dataDir);
  const server = await startRedis(dataFolder, { prompt: false, print: () => undefined });
  const redis = await readyConnection(dataFolder.redisUrl);
  return {
    url: dataFolder.redisUrl,
    redis,
    pid: server.pid,
    stop: async () => {
      redis.disconnect();
      await server.stop();
    },
  };
}

/** A connection to a Redis that has stopped. */
export async function redisAway(): Promise<RedisClient> {
  const { redis, stop } = await createTestRedis();
  await stop();
  return redis;
}

/** Opens a connection for commands and waits until it is ready; in a cluster, to each master. */
export async function readyConnection(url: string): Promise<RedisClient> {
  const redis = connectRedis(url, "commands");
  if (redis.status !== "ready") await once(redis, "ready");
  if (redis.isCluster)
    await waitFor("all masters of the cluster", () => pingRedis(redis).then(isTrue, isFalse));
  return redis;
}
const isTrue = () => true;
const isFalse = () => false;
