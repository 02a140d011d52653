import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Backend } from "#src/base/store.ts";

// Decision: the folder of the storage may be a link, which an operator sets. What is in it may not: so nothing that was put there, such
// as by a restore of files, leads a write, a read or a deletion to another place.

/** Stores bytes as files `ab/cd/abcdef...` in a folder that only its owner can read. */
export function createDiskBackend(folder: string): Backend {
  return {
    put: async (key, bytes) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const inner of innerFolders(folder, key)) {
        await mkdir(inner, { mode: 0o700 }).catch(unlessThere);
        await requireFolder(inner);
      }
      const file = await fileOf(folder, key);
      // The file gets its final name only when it is complete.
      const partial = `${file}.${randomUUID()}`;
      try {
        await writeFile(partial, bytes, { flag: "wx", mode: 0o600, flush: true });
        await rename(partial, file);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },
    get: async (key) => {
      try {
        const file = await open(await fileOf(folder, key), constants.O_RDONLY | constants.O_NOFOLLOW);
        try {
          return await file.readFile();
        } finally {
          await file.close();
        }
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    remove: async (key) => {
      try {
        await rm(await fileOf(folder, key), { force: true });
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },
  };
}

function innerFolders(folder: string, key: string): [string, string] {
  const outer = path.join(folder, key.slice(0, 2));
  return [outer, path.join(outer, key.slice(2, 4))];
}

/** The file of a key. Fails unless it is in folders of the storage itself. */
async function fileOf(folder: string, key: string): Promise<string> {
  const [outer, inner] = innerFolders(folder, key);
  await requireFolder(outer);
  await requireFolder(inner);
  return path.join(inner, key);
}

async function requireFolder(name: string): Promise<void> {
  if ((await lstat(name)).isDirectory()) return;
  throw new Error(`${name} is a link or a file where the storage has a folder. Remove it.`);
}

/** @throws what failed, unless it is there already. */
function unlessThere(error: unknown): void {
  if (codeOf(error) !== "EEXIST") throw error;
}

const isMissing = (error: unknown) => codeOf(error) === "ENOENT";
const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : null);
