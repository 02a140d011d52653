import { readInfo } from "#src/base/redis.ts";
import {
  daysLeft,
  describeRoom,
  measureConnections,
  measureDescriptors,
  measureDisks,
  measureMemory,
  measureRedis,
  type Room,
} from "#src/operate/work/room.ts";
import { type AtStart, atStart, type Found, watched, well } from "./check.ts";

// Decision: what runs out is told while there is time to act: where less than a tenth is left, and of a disk also where the last days would
// fill it within a week. A tenth of a large disk is much, so there 2 GB are enough.

const LEFT_MIN = 0.1;
const DISK_LEFT_MIN_BYTES = 2 * 1_073_741_824;
const DAYS_LEFT_MIN = 7;
/** With less, Postgres and Redis are about to refuse every write. */
const DISK_FULL_BYTES = 64 * 1_048_576;

/** Whether there is enough left of something, and for how long. */
export function stateOf(room: Room): "full" | "scarce" | "ok" {
  if (room.total === null) return "ok";
  const left = room.total - room.used;
  const isDisk = room.what === "disk";
  if (isDisk && left < DISK_FULL_BYTES) return "full";
  const isLittle = left < room.total * LEFT_MIN && (!isDisk || left < DISK_LEFT_MIN_BYTES);
  return isLittle || (daysLeft(room) ?? DAYS_LEFT_MIN) < DAYS_LEFT_MIN ? "scarce" : "ok";
}

function foundOf(rooms: readonly Room[]): Found {
  if (rooms.length === 0) return "unknown";
  const line = (room: Room) => `${room.of === "" ? "" : `${room.of}: `}${describeRoom(room)}`;
  const wrong = rooms.filter((room) => stateOf(room) !== "ok");
  if (wrong.length === 0) return well(rooms.map(line).join("; "));
  const state = wrong.some((room) => stateOf(room) === "full") ? "full" : "scarce";
  return { state, said: wrong.map(line).join("; ") };
}

export const roomAtStart = atStart<AtStart>([
  {
    part: "disk",
    follows: [],
    title: "Disk",
    at: ["start", "admin"],
    how: "free room on the disks of DATA_DIR and WATCHED_FOLDERS",
    cure: "Make room on this disk, or make it larger: old backups, logs and packages go first. Once it is full, Postgres takes no writes, and pictures and backups are not written.",
    find: async (needs) => {
      const disks = await measureDisks(needs);
      // A folder that does not exist yet is not full.
      return disks.length === 0 ? well() : foundOf(disks);
    },
  },
  {
    part: "evictions",
    title: "Redis: eviction",
    at: ["start", "admin"],
    how: "INFO memory, maxmemory_policy",
    after: "Redis: answers",
    seenBy: "one",
    follows: ["redis"],
    cure: "When its memory is full, Redis drops alarms, jobs and messages in silence. As an administrator of Redis: CONFIG SET maxmemory-policy noeviction, and the same in its configuration file.",
    find: async ({ redis }) => {
      const policy = await readInfo(redis, "memory", "maxmemory_policy");
      if (policy === null || policy === "noeviction") return well(policy ?? "it does not say");
      return { state: "allowed", said: `Its maxmemory-policy is ${policy}.` };
    },
  },
]);

/** What processes watch of what runs out. */
export const watchedRoom = watched("own", [
  {
    part: "connections",
    seenBy: "one",
    follows: ["database"],
    cure: "Once none is left, processes cannot start and requests fail. Each web process and each worker uses up to 20. Raise max_connections of Postgres, or the limit of the role or the database, or end what does not need its own.",
    find: async (deps) => foundOf(await measureConnections(deps)),
  },
  {
    part: "redis-memory",
    seenBy: "one",
    follows: ["redis"],
    cure: "Once it is full, pages are not live, and mails and push messages wait. Raise maxmemory to twice of what is used.",
    find: async (deps) => foundOf(await measureRedis(deps)),
  },
  {
    part: "memory",
    follows: [],
    cure: "Once none is left, the system ends a process. See what uses it (`ps aux --sort -rss | head`), and give the machine or the process (MemoryMax, mem_limit) more.",
    find: async (deps) => foundOf(await measureMemory(deps)),
  },
  {
    part: "descriptors",
    follows: [],
    cure: "Once none is left, no player connects. Raise the limit of open files (LimitNOFILE, ulimit), or add a web process.",
    find: async (deps) => foundOf(await measureDescriptors(deps)),
  },
]);
