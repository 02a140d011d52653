import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { $ } from "bun";
import { readSource } from "#tests/support/read-source.ts";
import type { FindVoid } from "./report.ts";

/**
 * Why the results of proofs say nothing about what is checked out in a folder.
 * @param fileOf the file of a proof, by its name.
 */
export async function findVoids(
  top: string,
  proofs: readonly { name: string; file: string; commit: string }[],
): Promise<FindVoid> {
  const git = $.cwd(top).nothrow();
  const reasons = new Map<string, string | null>();
  for (const { name, file, commit } of proofs) {
    reasons.set(name, await reasonOf(commit, filesOf(top, file)));
  }
  return (name) => reasons.get(name) ?? null;

  async function reasonOf(commit: string, files: readonly string[]): Promise<string | null> {
    if (commit.endsWith("+")) return "its changes were not committed";
    if ((await git`git merge-base --is-ancestor ${commit} HEAD`.quiet()).exitCode !== 0)
      return "its commit is not in this history";
    const changed = (await git`git diff --name-only ${commit} -- ${[...files]}`.quiet().text()).trim();
    const [first = "", ...others] = changed.split("\n");
    if (first === "") return null;
    return `\`${first}\`${others.length === 0 ? " has" : ` and ${others.length} more have`} changed`;
  }
}

/** The file of a proof, the files in `tests` that it consists of, and the files of the product that these import. */
function filesOf(top: string, proof: string): string[] {
  const files = new Set([proof]);
  for (const file of files) {
    if (!file.startsWith("tests/")) continue;
    for (const { to } of readSource(file, readFileSync(path.join(top, file), "utf8")).imports)
      if (/\.tsx?$/.test(to) && existsSync(path.join(top, to))) files.add(to);
  }
  return [...files];
}
