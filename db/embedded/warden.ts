/** A promise that something is done if this process dies; `release` takes it back. */
export type Warden = { release: () => void };

/**
 * Has a command run when this process is gone, however it ended: also after SIGKILL. A small shell waits for the end of a
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
