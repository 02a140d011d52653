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
