import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import type { RedisClient } from "#src/base/redis.ts";

const named = v.object({ name: v.string() });
const counted = v.object({ found: v.boolean() });

/** The tables, with their schema, that have one of these texts in any column of any row; upper and lower case are equal. */
export async function findInTables(db: Queryable, texts: readonly string[]): Promise<string[]> {
  const tables = await db.execute(sql`SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`);
  const found: string[] = [];
  for (const table of tables) {
    const { name } = v.parse(named, table);
    for (const text of texts) {
      const [row] = await db.execute(
        sql`SELECT EXISTS (SELECT 1 FROM ${sql.raw(name)} AS t WHERE strpos(lower(t::text), ${text.toLowerCase()}) > 0) AS found`,
      );
      if (v.parse(counted, row).found) found.push(`${name}: ${text}`);
    }
  }
  return found;
}

/** The keys of Redis that have one of these texts, in their name or in what they hold. */
export async function findInRedis(redis: RedisClient, texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const key of await redis.keys("*")) {
    const held = `${key} ${JSON.stringify(await read(redis, key))}`.toLowerCase();
    found.push(...texts.filter((text) => held.includes(text.toLowerCase())).map((text) => `${key}: ${text}`));
  }
  return found;
}

async function read(redis: RedisClient, key: string): Promise<unknown> {
  const type = await redis.type(key);
  if (type === "string") return redis.get(key);
  if (type === "hash") return redis.hgetall(key);
  if (type === "list") return redis.lrange(key, 0, -1);
  if (type === "set") return redis.smembers(key);
  if (type === "zset") return redis.zrange(key, "0", "-1");
  return type === "stream" ? redis.xrange(key, "-", "+") : null;
}
