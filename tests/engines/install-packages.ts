import { findProgram } from "#db/embedded/find-program.ts";
import { canInstallDebian, installDebian } from "#db/embedded/install-debian.ts";

// The servers that the product may run beside, for tests: each other file of this folder starts one (`start<Engine>`) on loopback,
// with a folder of its own, and returns its addresses with `stop` and `kill`.

/** A program that a test needs: the Debian package that has it, and where it is. */
export type Program = { debian: string; find: () => string | null };

/**
 * The path of a program, which is installed first if it is missing: `requireProgram("promtool", "prometheus")`. See installPackages.
 * @param debian the package that has the program.
 * @throws with what to install, if it is still missing.
 */
export function requireProgram(name: string, debian: string = name): string {
  const find = () => findProgram(name);
  installPackages([{ debian, find }]);
  return find() ?? "";
}

/**
 * Makes sure that programs are there. As root on Debian and Ubuntu it installs the packages of the missing ones, without starting
 * their services. Callers of all processes wait for each other, and it blocks this process meanwhile.
 * @param print called with a line before something is installed.
 * @throws with what to install, if something is still missing.
 */
export function installPackages(
  programs: readonly Program[],
  print: (line: string) => void = () => undefined,
): void {
  const needed = missing(programs);
  if (needed.length === 0) return;
  let output: string | null = null;
  if (canInstallDebian()) {
    print(`installing ${needed.join(", ")} with apt-get`);
    output = installDebian(needed);
  }
  const still = missing(programs);
  if (still.length === 0) return;
  const install = `Programs are missing. Debian, Ubuntu: sudo apt-get install ${still.join(" ")}`;
  throw new Error(output === null ? install : `${install}\n${output}`);
}

/** The packages of the programs that are not there. */
function missing(programs: readonly Program[]): string[] {
  const all = programs.filter(({ find }) => find() === null);
  return [...new Set(all.map(({ debian }) => debian))];
}
