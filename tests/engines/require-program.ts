import { findProgram } from "#db/embedded/find-program.ts";
import { findOrInstall } from "#db/embedded/programs.ts";

// The servers that the product may run beside, for tests: each other file of this folder starts one (`start<Engine>`) on loopback,
// with a folder of its own, and returns its addresses with `stop` and `kill`.

/**
 * The path of a program, which is installed first if it is missing: `requireProgram("promtool", "prometheus")`. See findOrInstall.
 * @param debian the package that has the program.
 */
export function requireProgram(name: string, debian: string = name): string {
  return findOrInstall({ name, packages: { "apt-get": debian }, find: () => findProgram(name) });
}
