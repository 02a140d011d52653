import { readdir, readFile, stat, statfs } from "node:fs/promises";
import { freemem, hostname, totalmem } from "node:os";
import path from "node:path";
import * as v from "valibot";
import { addressOf, isPooled } from "#db/address.ts";
import { queryRow } from "#db/ledger/query.ts";
import type { Deps } from "#src/base/deps.ts";
import { getNumbers } from "#src/base/redis-keys.ts";
import { readInfo, type RedisClient } from "#src/base/redis.ts";
import { isLocal } from "#src/settings/refuse-unsafe.ts";
import { inTime } from "./queues.ts";

// Decision: a process measures what it can measure itself: the disks and the memory of its machine, and what it uses of its own limits. A disk
// of another machine is not known here, so of a database there its size and its growth are said, and no more. How much each day takes
// is known from one number a day, which Redis keeps for a week: a Redis that was emptied costs two days of that, which is worth no table.

/** How much of something is used, and how much there is. */
export type Room = {
  what: "disk" | "database" | "connections" | "redis-memory" | "memory" | "descriptors";
  /** The folders of a disk, the machine, or the process. Empty: the product as a whole. */
  of: string;
  used: number;
  /** Null: there is no limit, or it cannot be known here. */
  total: number | null;
  /** How much more is used each day, as the last days were. Null: not known yet. */
  perDay?: number | null;
};

const MB = 1_048_576;
const GB = 1_024 * MB;
const YEAR_DAYS = 365;

/** In how many days nothing is left, if each takes as much as the last ones. Null: not known, or never. */
export function daysLeft({ used, total, perDay = null }: Room): number | null {
  return total === null || perDay === null || perDay <= 0 ? null : Math.floor((total - used) / perDay);
}

/** "8.1 GB of 40.0 GB left (20 %), full in about 12 days" */
export function describeRoom(room: Room): string {
  const { what, used, total, perDay = null } = room;
  const inWords = (count: number) => {
    if (what === "connections" || what === "descriptors") return count.toLocaleString("en-US");
    return count < GB ? `${Math.round(count / MB)} MB` : `${(count / GB).toFixed(1)} GB`;
  };
  if (total === null) {
    const more = perDay === null ? "" : `, ${inWords(Math.max(0, perDay))} more each day`;
    const why = what === "database" ? "What its disk has left is not known here." : "It has no limit.";
    return `${inWords(used)} used${more}. ${why}`;
  }
  const left = Math.max(0, total - used);
  const days = daysLeft(room) ?? YEAR_DAYS;
  const full = days < YEAR_DAYS ? `, full in about ${days} ${days === 1 ? "day" : "days"}` : "";
  return `${inWords(left)} of ${inWords(total)} left (${Math.floor((100 * left) / total)} %)${full}`;
}

const DAY_MS = 86_400_000;
const KEPT_SECONDS = 8 * 86_400;
/** How many days ago, the longest first. A single day may be that of an import. */
const DAYS_AGO = [7, 6, 5, 4, 3, 2];
/** Room is known without it. */
const REDIS_WITHIN_MS = 300;

/** How much more each day takes, by what was used at the start of a day before; null where Redis does not know. @param keeps notes today's. */
async function paceOf(redis: RedisClient, name: string, used: number, keeps = true): Promise<number | null> {
  const now = Date.now() / DAY_MS;
  const keyOf = (daysAgo: number) => `room:${Math.floor(now) - daysAgo}:${name}`;
  const noted = keeps ? redis.set(keyOf(0), Math.round(used), "EX", KEPT_SECONDS, "NX") : null;
  const known = Promise.all([getNumbers(redis, DAYS_AGO.map(keyOf)), noted]);
  const [before = []] = (await inTime(known, REDIS_WITHIN_MS)) ?? [];
  const index = before.findIndex((number) => number > 0);
  const days = DAYS_AGO[index];
  return days === undefined ? null : (used - (before[index] ?? 0)) / (days + (now % 1));
}

/**
 * The disks of this machine with the data folder and WATCHED_FOLDERS, as far as they exist. Folders on the same disk are one. What is used is
 * noted by the watch of a process alone: the doctor may look at the Redis of another installation.
 */
export async function measureDisks({
  env,
  redis,
  hasTurn,
}: Pick<Deps, "env" | "redis" | "hasTurn">): Promise<Room[]> {
  const disks = new Map<number, { folders: string[]; used: number; total: number }>();
  // The database may be where a link leads.
  for (const folder of [env.dataDir, path.join(env.dataDir, "postgres"), ...env.watchedFolders]) {
    const found = await Promise.all([stat(folder), statfs(folder)]).catch(() => null);
    if (found === null) continue;
    const [{ dev }, { bavail, bfree, blocks, bsize }] = found;
    const folders = disks.get(dev)?.folders ?? [];
    if (!folders.some((other) => folder.startsWith(`${other}/`))) folders.push(folder);
    const used = (blocks - bfree) * bsize;
    // bavail: what is free for others than root.
    disks.set(dev, { folders, used, total: used + bavail * bsize });
  }
  const rooms = [...disks.values()].map(async ({ folders, ...disk }): Promise<Room> => {
    const of = folders.join(", ");
    const perDay = await paceOf(redis, `${hostname()}:${of}`, disk.used, hasTurn !== undefined);
    return { what: "disk", of, ...disk, perDay };
  });
  return Promise.all(rooms);
}

const textOf = (file: string) => readFile(file, "utf8").catch(() => "");
const nameOf = ({ log }: Pick<Deps, "log">) => String(log.bindings()["name"]);

/** The memory of the machine, and of this process where its unit or container has a limit. Elsewhere than on Linux it is not known. */
export async function measureMemory(deps: Pick<Deps, "log">): Promise<Room[]> {
  if (process.platform !== "linux") return [];
  const total = totalmem();
  const machine = { what: "memory", of: hostname(), used: total - freemem(), total } as const;
  const group = /^0::(.*)$/m.exec(await textOf("/proc/self/cgroup"))?.[1] ?? "";
  const limit = Number.parseInt(await textOf(path.join("/sys/fs/cgroup", group, "memory.max")), 10);
  const own = { ...machine, of: nameOf(deps), used: process.memoryUsage.rss(), total: limit };
  return Number.isNaN(limit) ? [machine] : [machine, own];
}

/** The open files and sockets of this process. Elsewhere than on Linux they are not known. */
export async function measureDescriptors(deps: Pick<Deps, "log">): Promise<Room[]> {
  const limit = /^Max open files +(\d+)/m.exec(await textOf("/proc/self/limits"));
  if (limit === null) return [];
  const used = (await readdir("/proc/self/fd")).length;
  return [{ what: "descriptors", of: nameOf(deps), used, total: Number(limit[1]) }];
}

const numbers = v.object({ used: v.number(), total: v.nullable(v.number()) });

/** The connections of Postgres, of the limit that is the nearest: the server's, or that of this role or database. */
export async function measureConnections({ pool: { db } }: Pick<Deps, "pool">): Promise<Room[]> {
  const counts = await queryRow(
    db,
    numbers,
  )`WITH open AS (SELECT usename, datname FROM pg_stat_activity WHERE datid IS NOT NULL)
    SELECT used::int, total FROM (
      SELECT count(*) AS used, current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) AS total FROM open
      UNION ALL SELECT (SELECT count(*) FROM open WHERE usename = rolname), rolconnlimit FROM pg_roles WHERE rolname = session_user
      UNION ALL SELECT (SELECT count(*) FROM open WHERE open.datname = pg_database.datname), datconnlimit
        FROM pg_database WHERE datname = current_database()
    ) AS limits WHERE total > 0 ORDER BY total - used LIMIT 1`;
  return [{ what: "connections", of: "", ...counts }];
}

/** The size of a database whose disk is another machine's. */
async function measureDatabase({ env, pool, redis }: Pick<Deps, "env" | "pool" | "redis">): Promise<Room[]> {
  const address = addressOf(env.databaseUrl);
  if (!isPooled(address) && address.hosts.every(({ name }) => isLocal(name))) return [];
  const size = await queryRow(
    pool.db,
    numbers,
  )`SELECT pg_database_size(current_database())::float8 AS used, NULL AS total`;
  return [{ what: "database", of: "", ...size, perDay: await paceOf(redis, "database", size.used) }];
}

/** The memory of Redis, in a cluster of the node that answers. */
export async function measureRedis({ redis }: Pick<Deps, "redis">): Promise<Room[]> {
  const read = async (name: string) => Number(await readInfo(redis, "memory", name));
  const [used, total] = await Promise.all([read("used_memory"), read("maxmemory")]);
  // A user without the right to INFO reads nothing.
  return used === 0 ? [] : [{ what: "redis-memory", of: "", used, total: total === 0 ? null : total }];
}

const measures = [
  measureDisks,
  measureDatabase,
  measureConnections,
  measureRedis,
  measureMemory,
  measureDescriptors,
];

/** All that this process can measure, as it is said. What does not answer is left out. */
export async function measureRoom(deps: Pick<Deps, "env" | "log" | "pool" | "redis">) {
  const measured = await Promise.all(measures.map((measure) => inTime(measure(deps))));
  return measured
    .flatMap((rooms) => rooms ?? [])
    .map((room) => {
      const { what, of, used, total } = room;
      return { what, of, text: describeRoom(room), usedShare: total === null ? null : used / total };
    });
}
