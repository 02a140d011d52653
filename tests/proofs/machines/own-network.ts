import { isRoot } from "#db/embedded/data-folder.ts";
import { findProgram } from "#db/embedded/find-program.ts";
import { requireProgram } from "#tests/engines/require-program.ts";

const SCRIPT = 'ip link set lo up && echo 1 > /proc/sys/net/ipv4/tcp_migrate_req && exec "$@"';

/**
 * What to put before a command to run it in a network of its own, where the kernel hands connections on from a process that closes a
 * shared port, as deploy/systemd/sysctl.conf says. Empty where this machine does not let us make networks.
 */
export function ownNetwork(): string[] {
  const unshare = findProgram("unshare");
  if (!isRoot() || unshare === null) return [];
  requireProgram("ip", "iproute2");
  const prefix = [unshare, "--net", "/bin/sh", "-c", SCRIPT, "sh"];
  return Bun.spawnSync([...prefix, "true"]).exitCode === 0 ? prefix : [];
}
