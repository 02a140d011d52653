import { isRoot } from "#db/embedded/data-folder.ts";
import { findProgram } from "#db/embedded/find-program.ts";
import { requireProgram } from "#tests/engines/require-program.ts";

const SCRIPT = `ip link set lo up && echo 1 > /proc/sys/net/ipv4/tcp_migrate_req && exec "$@"`;

/**
 * Runs this program again in a network of its own, where the kernel hands connections on from a process that closes a shared port, as
 * deploy/systemd/sysctl.conf says; without one where this machine does not let us make networks. Returns in the second run alone.
 */
export async function enterOwnNetwork(): Promise<void> {
  if (process.send !== undefined) return;
  const child = Bun.spawn([...ownNetwork(), process.execPath, ...process.argv.slice(1)], {
    ipc: () => undefined,
    stdout: "inherit",
    stderr: "inherit",
  });
  process.exit(await child.exited);
}

/** What to put before a command to run it in a network of its own. */
function ownNetwork(): string[] {
  const unshare = findProgram("unshare");
  if (!isRoot() || unshare === null) return [];
  requireProgram("ip", "iproute2");
  const prefix = [unshare, "--net", "/bin/sh", "-c", SCRIPT, "sh"];
  return Bun.spawnSync([...prefix, "true"]).exitCode === 0 ? prefix : [];
}
