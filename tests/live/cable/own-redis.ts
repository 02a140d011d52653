import path from "node:path";
import { makeDataDir, dataFolderOf } from "#db/embedded/data-folder.ts";
import { startRedis } from "#db/embedded/redis.ts";
import { connectRedis, type RedisClient } from "#src/base/redis.ts";
import { testServers } from "#tests/support/servers.ts";

/** A Redis that a test can stop, and restart empty at the same address. */
export type OwnRedis = {
  url: string;
  redis: RedisClient;
  stop: () => Promise<void>;
  restart: () => Promise<void>;
  close: () => Promise<void>;
};

export async function openOwnRedis(): Promise<OwnRedis> {
  const { folder } = await testServers();
  const dataFolder = dataFolderOf(path.join(folder, crypto.randomUUID().slice(0, 8)));
  makeDataDir(dataFolder.dataDir);
  const begin = () => startRedis(dataFolder, { prompt: false, print: () => undefined });
  let server = await begin();
  const redis = connectRedis(dataFolder.redisUrl, "commands");
  return {
    url: dataFolder.redisUrl,
    redis,
    stop: () => server.stop(),
    restart: async () => {
      server = await begin();
    },
    close: async () => {
      redis.disconnect();
      await server.stop();
    },
  };
}
