/** A watcher that runs a command when this process dies; `release` cancels it. */
export type Warden = { release: () => void };

/**
 * Runs a command when this process is gone, however it ended: also after SIGKILL. A small shell waits for the end of a
 * pipe that only this process holds open.
 * @param command a program or a shell builtin, and its arguments.
 */
export function afterDeath(command: string[]): Warden {
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
