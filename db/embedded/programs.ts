import { findProgram } from "./find-program.ts";
import { canInstallDebian, installDebian } from "./install-debian.ts";

/** The commands that install packages: the first that a machine has, and the words before the packages' names. */
const managers = [
  { name: "apt-get", command: "sudo apt-get install" },
  { name: "dnf", command: "sudo dnf install" },
  { name: "apk", command: "sudo apk add" },
  { name: "brew", command: "brew install" },
] as const;

/** A program that is needed. */
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
