import { readFileSync } from "node:fs";

const POLL_MS = 10;
// Indexes into the result of statFields().
const STATE = 0;
const PARENT = 1;
const START_TICKS = 19;

/** The command line of a running process, or null where there is none (or it may not be seen). */
export function commandOf(pid: number): string | null {
  if (process.platform !== "linux") return ps(pid, "command=");
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    // A process that has ended and waits for its parent still has an entry, but no command line.
    return command === "" ? null : command;
  } catch {
    return null;
  }
}

/**
 * Tells this process from a later one with the same number: the moment it began. Null where it does not run.
 */
export function identityOf(pid: number): string | null {
  if (process.platform !== "linux") return ps(pid, "lstart=");
  const fields = statFields(pid);
  return fields[STATE] === "Z" ? null : (fields[START_TICKS] ?? null);
}

/** The number of the process that started this one, or that adopted it; null where it does not run. */
export function parentOf(pid: number): number | null {
  const parent = process.platform === "linux" ? statFields(pid)[PARENT] : ps(pid, "ppid=");
  return parent === undefined || parent === null ? null : Number(parent);
}

/** Reads the number in the first line of a pid file; null where there is no such file. */
export function readPid(file: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
    return Number.isInteger(pid) && pid > 1 ? pid : null;
  } catch {
    return null;
  }
}

/**
 * Ends a process that is not a child of this one, politely first.
 * @param signals tried in this order, each given `waitMs` to work.
 * @returns false if it still runs.
 */
export async function endProcess(pid: number, signals: NodeJS.Signals[], waitMs: number): Promise<boolean> {
  for (const signal of signals) {
    if (!sendSignal(pid, signal)) return true;
    if (await until(() => commandOf(pid) === null, waitMs)) return true;
  }
  return commandOf(pid) === null;
}

/** Waits until the condition holds; false if it did not within the time. */
export async function until(condition: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
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
 * The fields of /proc/<pid>/stat from the third on (state, parent ...); the name in the second may itself hold spaces and
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
  const asked = Bun.spawnSync(["ps", "-o", column, "-p", String(pid)], { stderr: "ignore" });
  const answer = asked.stdout.toString().trim();
  return asked.exitCode === 0 && answer !== "" ? answer : null;
}
