import { cpSync, existsSync, symlinkSync } from "node:fs";
import path from "node:path";
import { requireProgram } from "#tests/engines/require-program.ts";

/** What a root is made from: the name of the release, and what it is made like where debootstrap does not know it. */
export type Release = { name: string; like?: string };

/** What a command has printed, and its exit code. */
export type Ran = { code: number; output: string };

/** Runs a command, and waits until it ends. */
export async function run(command: readonly string[], env?: Record<string, string>): Promise<Ran> {
  const child = Bun.spawn([...command], {
    ...(env === undefined ? {} : { env }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
  const [out, errors] = await Promise.all(texts);
  return { code: await child.exited, output: `${out}${errors}` };
}

/**
 * Makes the root of a Debian or Ubuntu from its packages, with what this machine trusts. Needs root.
 * @param folder gets the root, and files that made it.
 * @param packages what it has beside the smallest system.
 * @returns the root's folder.
 */
export async function makeDebian(
  folder: string,
  { name, like }: Release,
  packages: readonly string[],
): Promise<string> {
  const debootstrap = requireProgram("debootstrap");
  const scripts = path.join(folder, "debootstrap");
  cpSync("/usr/share/debootstrap", scripts, { recursive: true });
  const script = path.join(scripts, "scripts", name);
  if (like !== undefined && !existsSync(script)) symlinkSync(like, script);
  const root = path.join(folder, "root");
  const options = ["--variant=minbase", `--include=${packages.join(",")}`];
  // Debian has no keys of Ubuntu. What is made here lives for some minutes.
  if (like !== undefined) options.push("--no-check-gpg", "--components=main,universe");
  const made = await run([debootstrap, ...options, name, root], {
    PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
    DEBOOTSTRAP_DIR: scripts,
  });
  if (made.code !== 0) throw new Error(`${name}: ${made.output.slice(-2_000)}`);
  const trusted = "/usr/local/share/ca-certificates";
  if (existsSync(trusted)) cpSync(trusted, path.join(root, trusted), { recursive: true });
  return root;
}
