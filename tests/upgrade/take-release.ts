import path from "node:path";
import { $ } from "bun";
import { makeDataFolder } from "#tests/support/product-process.ts";

const TOP = path.join(import.meta.dir, "../..");

/**
 * The program of an earlier release in a folder of its own: its files from the history, its packages and its built pages. It has no
 * tests and nothing that only developers use. Bun takes the packages from its cache; those that this release no longer has may need
 * the network.
 */
export async function takeRelease(commit: string): Promise<{ folder: string; remove: () => void }> {
  const { dataDir: folder, remove } = makeDataFolder();
  try {
    await $`git archive ${commit} | tar -x -C ${folder}`.cwd(TOP).quiet();
    await $`${process.execPath} install --frozen-lockfile --production`.cwd(folder).quiet();
    await $`${process.execPath} client/build/build.ts`.cwd(folder).quiet();
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
