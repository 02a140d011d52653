import { readFileSync } from "node:fs";
import { parentOf } from "#db/embedded/processes.ts";
import { childrenOf } from "#tests/support/product-process.ts";
import type { BenchDeps } from "./bench-deps.ts";

/** Of the fields after the name: utime, stime, cutime and cstime (proc(5)). */
const TIMES_AT = 11;
const TIMES = 4;
/** Linux counts these times in hundredths of a second. */
const TICK_US = 10_000;

/**
 * The CPU time that a process, its running children and its ended children have taken, in microseconds. Only on Linux; NaN
 * elsewhere.
 */
export function cpuOf(pids: readonly number[]): number {
  if (process.platform !== "linux") return Number.NaN;
  const everyPid = new Set(pids.flatMap((pid) => [pid, ...childrenOf(pid)]));
  return [...everyPid].reduce((sum, pid) => sum + ticksOf(pid), 0) * TICK_US;
}

/** The processes of both servers. All backends are children of the first Postgres process. */
export async function serverPids({ pool, redis }: BenchDeps): Promise<{ postgres: number; redis: number }> {
  const [row]: { pid: number }[] = await pool.sql`SELECT pg_backend_pid() AS pid`;
  const postgres = row === undefined ? null : parentOf(row.pid);
  const redisPid = /process_id:(\d+)/.exec(await redis.info("server"))?.[1];
  if (postgres === null || redisPid === undefined) throw new Error("a server has no process id");
  return { postgres, redis: Number(redisPid) };
}

/** 0 for a process that has ended: its parent has its times. */
function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields.slice(TIMES_AT, TIMES_AT + TIMES).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    return 0;
  }
}

/** The memory of a process in bytes; 0 for one that has ended. */
export function residentBytes(pid: number): number {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kilobytes ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

const IDLE_FIELD = 3;
const STOLEN_FIELD = 7;
/** The rest is time of guests, which is counted as user time already. */
const FIELDS = 8;

/**
 * Runs the work. A machine whose host takes CPU time away measures nothing.
 * @returns the share of the CPU time that was taken away meanwhile, from 0 to 1; 0 where the system does not say.
 */
export async function withSteal<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; stealShare: number }> {
  const before = readTicks();
  const result = await work();
  const after = readTicks();
  const all = after.all - before.all;
  return { result, stealShare: all === 0 ? 0 : (after.stolen - before.stolen) / all };
}

/** The CPU time that all processes of the machine have taken since its start, in microseconds. 0 where the system does not say. */
export function busyUs(): number {
  const { all, stolen, idle } = readTicks();
  return (all - stolen - idle) * TICK_US;
}

/**
 * The CPU time of all cores since the start of the machine, and the parts that its host took away and that nobody used, in ticks. From
 * /proc/stat, whose first line has the fields of proc(5): user nice system idle iowait irq softirq steal.
 */
function readTicks(): { all: number; stolen: number; idle: number } {
  try {
    const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n", 1);
    const ticks = line
      .split(/\s+/)
      .slice(1, FIELDS + 1)
      .map(Number);
    const [idle = 0, waiting = 0] = ticks.slice(IDLE_FIELD);
    const all = ticks.reduce((sum, each) => sum + each, 0);
    return { all, stolen: ticks[STOLEN_FIELD] ?? 0, idle: idle + waiting };
  } catch {
    return { all: 0, stolen: 0, idle: 0 };
  }
}
