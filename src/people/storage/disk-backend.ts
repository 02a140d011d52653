import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Store } from "#src/base/store.ts";

/** Stores bytes as files `ab/cd/abcdef...` in a folder that only its owner can read. */
export function createDiskStore(folder: string): Store {
  const fileOf = (key: string) => path.join(folder, key.slice(0, 2), key.slice(2, 4), key);
  return {
    put: async (key, bytes) => {
      const file = fileOf(key);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
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
        return await readFile(fileOf(key));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    remove: (key) => rm(fileOf(key), { force: true }),
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
