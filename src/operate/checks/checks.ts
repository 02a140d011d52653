import type { AtStart, Check } from "./check.ts";
import { databaseChecks } from "./database-checks.ts";
import { roomAtStart, watchedRoom } from "./room-checks.ts";
import { serverChecks, watchedServers } from "./server-checks.ts";
import { workChecks } from "./work-checks.ts";

// Each list has one noun. A new check is an entry there, and its title in contract.ts.

const ofServers: readonly Check<AtStart>[] = [...databaseChecks, ...serverChecks, ...roomAtStart];

/** What the doctor tries, in the order of its table. */
export const doctorChecks = ofServers.filter(({ at }) => at.includes("start") || at.includes("doctor"));

export const startChecks = doctorChecks.filter(({ at }) => at.includes("start"));

const checks: readonly Check[] = [...ofServers, ...watchedServers, ...watchedRoom, ...workChecks];

export const readyChecks = checks.filter(({ at }) => at.includes("ready") || at.includes("admin"));

/** What processes watch, and the operators' home says. */
export const adminChecks = checks.filter(({ at }) => at.includes("admin"));

/** For so long after its start a process calls nothing wrong that has not worked yet: all may be starting, on a busy machine. */
export const STARTS_WITHIN_MS = 15_000;

export const START_WITHIN_MS = 5_000;
