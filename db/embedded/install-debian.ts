import { isRoot } from "./data-folder.ts";
import { findProgram } from "./find-program.ts";

const LOCK = "/tmp/called-it-apt.lock";
const LOCK_WITHIN_S = 900;

/**
 * apt fails while another apt runs, so callers of all processes wait for a lock first. A machine without a policy for services
 * gets one meanwhile: an installed server must not start and take a port.
 */
const script = `
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\\nexit 101\\n' > "$policy" && chmod 755 "$policy"
fi
install() { apt-get install -y -q --no-install-recommends "$@"; }
install "$@" || { apt-get update -q && install "$@"; }
`;

/** True as root on Debian and Ubuntu. */
export function canInstallDebian(): boolean {
  return isRoot() && findProgram("apt-get") !== null;
}

/**
 * Installs Debian packages without starting their services. Callers in several processes wait for each other.
 * @returns the output if that failed; null when they are installed. Check for their programs afterwards.
 */
export function installDebian(names: readonly string[]): string | null {
  const command = [
    "flock",
    "--timeout",
    String(LOCK_WITHIN_S),
    LOCK,
    "/bin/sh",
    "-c",
    script,
    "sh",
    ...names,
  ];
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, {
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", DEBIAN_FRONTEND: "noninteractive" },
  });
  return exitCode === 0 ? null : `${stdout.toString()}${stderr.toString()}`;
}
