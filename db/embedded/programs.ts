import { isRoot } from "./data-folder.ts";
import { findProgram } from "./find-program.ts";

/** The commands that install packages: the first that a machine has, and the words before the packages' names. */
const managers = [
  { name: "apt-get", command: "sudo apt-get install" },
  { name: "dnf", command: "sudo dnf install" },
  { name: "apk", command: "sudo apk add" },
  { name: "brew", command: "brew install" },
] as const;

export type Program = {
  /** How people call it. */
  name: string;
  /** The package that has it: for Debian and Ubuntu, and where another manager has another name for it. */
  packages: { "apt-get": string; dnf?: string; apk?: string; brew?: string };
  /** Its path; null if this machine does not have it. */
  find: () => string | null;
};

/**
 * The path of a program. As root on Debian and Ubuntu its package is installed first if it is missing, without starting its services.
 * Callers in all processes wait for each other, and it blocks this process meanwhile.
 * @param print called with a line before something is installed.
 * @throws with a line that names what is missing and the command that installs it.
 */
export function findOrInstall(program: Program, print: (line: string) => void = () => undefined): string {
  const found = program.find();
  if (found !== null) return found;
  let output: string | null = null;
  if (canInstallDebian()) {
    print(`Installing ${program.name} with apt-get`);
    output = installDebian([program.packages["apt-get"]]);
  }
  const installed = program.find();
  if (installed !== null) return installed;
  throw new Error([describeMissing([program]), ...(output === null ? [] : [output])].join("\n"));
}

/** What is missing, and the command that installs it, in one line. */
export function describeMissing(missing: readonly Program[]): string {
  const manager = managers.find(({ name }) => findProgram(name) !== null) ?? managers[0];
  const packages = missing.map((program) => program.packages[manager.name] ?? program.packages["apt-get"]);
  const names = missing.map(({ name }) => name).join(", ");
  const are = missing.length === 1 ? "is" : "are";
  return `${names} ${are} missing on this machine. Install: ${manager.command} ${[...new Set(packages)].join(" ")}`;
}

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

export function canInstallDebian(): boolean {
  return isRoot() && findProgram("apt-get") !== null;
}

/**
 * Installs Debian packages without starting their services. Callers in several processes wait for each other.
 * @returns the output if that failed; null when they are installed. Check for their programs afterwards.
 */
function installDebian(names: readonly string[]): string | null {
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
