import path from "node:path";
import type { Redis } from "ioredis";
import { makeDataDir, placeOf } from "#db/embedded/place.ts";
import { startRedis } from "#db/embedded/redis.ts";
import { connectRedis } from "#src/base/redis.ts";
import { testServers } from "#tests/support/servers.ts";

/** A Redis that a test may take away and give back, empty, at the same address. */
export type OwnRedis = {
  url: string;
  redis: Redis;
  leave: () => Promise<void>;
  comeBack: () => Promise<void>;
  close: () => Promise<void>;
};

export async function openOwnRedis(): Promise<OwnRedis> {
  const { folder } = await testServers();
  const place = placeOf(path.join(folder, crypto.randomUUID().slice(0, 8)));
  makeDataDir(place.dataDir);
  const begin = () => startRedis(place, { durable: false, say: () => undefined });
  let server = await begin();
  const redis = connectRedis(place.redisUrl, "commands");
  return {
    url: place.redisUrl,
    redis,
    leave: () => server.stop(),
    comeBack: async () => {
      server = await begin();
    },
    close: async () => {
      redis.disconnect();
      await server.stop();
    },
  };
}
