import { requireProgram } from "#tests/engines/require-program.ts";

/** Runs promtool in a folder. @returns "passed", or what it says. */
export async function promtool(folder: string, ...args: string[]): Promise<string> {
  const child = Bun.spawn([requireProgram("promtool", "prometheus"), ...args], {
    cwd: folder,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, problems] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return (await child.exited) === 0 ? "passed" : `${out}${problems}`;
}
