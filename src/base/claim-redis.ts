import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryValue } from "#db/ledger/query.ts";
import type { RedisClient } from "./redis.ts";

// Decision: a numbered database of Redis belongs to one installation, whose processes name the installation there under one key. A second
// one would take its jobs, and its players would get the first one's private messages, so it is refused at its start. The installation is
// known by its database: a copy of that is another one, and would use the jobs and messages of the original.

const KEY = "called-it:installation";

/** What an installation is known by: its database. It is the same after a failover to a replica. */
export function readInstallation(db: Queryable): Promise<string> {
  return queryValue(db, v.string())`
    SELECT system_identifier::text || '/' || oid
    FROM pg_control_system(), pg_database WHERE datname = current_database()`;
}

/**
 * Names this installation in Redis, unless another one is named there. Rejects while Redis is away or takes no writes.
 * @returns the address of that other one; null if Redis belongs to this one.
 */
export async function claimRedis(
  redis: RedisClient,
  { id, publicUrl }: { id: string; publicUrl: string },
): Promise<string | null> {
  return addressOfOther(await redis.set(KEY, `${id} ${publicUrl}`, "NX", "GET"), id);
}

/** The address of another installation that is named in Redis; null without one. Rejects while Redis is away. */
export async function findOtherInstallation(redis: RedisClient, id: string): Promise<string | null> {
  return addressOfOther(await redis.get(KEY), id);
}

function addressOfOther(named: string | null, id: string): string | null {
  const [holder, address = ""] = (named ?? id).split(" ");
  return holder === id ? null : address;
}

/** What is wrong with a Redis of another installation, and what to change. */
export const TAKEN_CURE =
  "Set REDIS_URL to another number, such as redis://host:6379/1, or to a Redis of its own. If the other one is gone, or its database was " +
  "moved or restored to become this one: bun run empty-redis";

export const takenBy = (address: string) => `REDIS_URL names the Redis of another installation (${address}).`;
