import { readFileSync } from "node:fs";

const POLL_MS = 10;

/** The command line of a running process, or null where there is none (or it may not be seen). */
export function commandOf(pid: number): string | null {
  if (process.platform !== "linux") return commandByPs(pid);
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    // A process that has ended and waits for its parent still has an entry, but no command line.
    return command === "" ? null : command;
  } catch {
    return null;
  }
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
 * Ends a process that is not our child, politely first.
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

function commandByPs(pid: number): string | null {
  const ps = Bun.spawnSync(["ps", "-o", "command=", "-p", String(pid)], { stderr: "ignore" });
  const command = ps.stdout.toString().trim();
  return ps.exitCode === 0 && command !== "" ? command : null;
}
