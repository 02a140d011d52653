import { readdirSync, readFileSync } from "node:fs";

const POLL_MS = 10;
// Indexes into the result of statFields().
const STATE = 0;
const PARENT = 1;
const USED_TICKS = [11, 12, 13, 14];
const START_TICKS = 19;

/** The command line of a running process; null if there is no such process, or if it may not be read. */
export function commandOf(pid: number): string | null {
  if (process.platform !== "linux") return ps(pid, "command=");
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    // A zombie process (ended, but not yet reaped by its parent) has an entry without a command line.
    return command === "" ? null : command;
  } catch {
    return null;
  }
}

/**
 * The start time of a process, which distinguishes it from a later process with the same id. Null if it does not run.
 */
export function identityOf(pid: number): string | null {
  if (process.platform !== "linux") return ps(pid, "lstart=");
  const fields = statFields(pid);
  return fields[STATE] === "Z" ? null : (fields[START_TICKS] ?? null);
}

/**
 * How much of a processor a process and its children have used, in ticks of the system's clock: Postgres recovers in a child. Null where
 * that cannot be read.
 */
export function ticksOf(pid: number): number | null {
  if (process.platform !== "linux") return null;
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const family = all.filter((name) => Number(name) === pid || parentOf(Number(name)) === pid);
  return family
    .flatMap((name) => USED_TICKS.map((index) => Number(statFields(Number(name))[index] ?? 0)))
    .reduce((total, used) => total + used, 0);
}

/** The id of the parent process, which changes when the parent ends; null if the process does not run. */
export function parentOf(pid: number): number | null {
  const parent = process.platform === "linux" ? statFields(pid)[PARENT] : ps(pid, "ppid=");
  return parent === undefined || parent === null ? null : Number(parent);
}

/** Reads the process id in the first line of a pid file; null if there is no such file. */
export function readPid(file: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
    return Number.isInteger(pid) && pid > 1 ? pid : null;
  } catch {
    return null;
  }
}

/**
 * Ends a process that is not a child of this one.
 * @param signals sent in this order, gentlest first; each has `waitMs` to take effect.
 * @returns false if it still runs.
 */
export async function endProcess(pid: number, signals: NodeJS.Signals[], waitMs: number): Promise<boolean> {
  for (const signal of signals) {
    if (!sendSignal(pid, signal)) return true;
    if (await waitUntil(() => commandOf(pid) === null, waitMs)) return true;
  }
  return commandOf(pid) === null;
}

/** Waits until the condition is true. Returns false if it was not within the time. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  withinMs: number,
): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await Bun.sleep(POLL_MS);
  }
  return true;
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/**
 * The fields of /proc/<pid>/stat from the third on (state, parent, ...). The second field, the name, can contain spaces and
 * brackets.
 */
function statFields(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

function ps(pid: number, column: "command=" | "lstart=" | "ppid="): string | null {
  const result = Bun.spawnSync(["ps", "-o", column, "-p", String(pid)], { stderr: "ignore" });
  const value = result.stdout.toString().trim();
  return result.exitCode === 0 && value !== "" ? value : null;
}
