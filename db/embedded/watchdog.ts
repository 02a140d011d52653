/** Runs a command when this process ends; `release` cancels that. */
export type Watchdog = { release: () => void };

/**
 * Starts a watchdog: a small shell that runs a command when this process has ended in any way, also after SIGKILL. It waits for
 * the end of a pipe that only this process holds open.
 * @param command a program or a shell builtin, and its arguments.
 */
export function startWatchdog(command: string[]): Watchdog {
  const shell = Bun.spawn(["/bin/sh", "-c", 'read -r _; "$@"', "sh", ...command], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
    detached: true,
    cwd: "/",
  });
  shell.unref();
  return { release: () => shell.kill("SIGKILL") };
}
