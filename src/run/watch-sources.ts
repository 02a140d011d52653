import { watch } from "node:fs";
import path from "node:path";

/** An editor writes a file in several steps, and a checkout writes many. */
const QUIET_FOR_MS = 150;

const topFolder = path.join(import.meta.dir, "../..");
const folders = ["client", "src", "jobs", "db"];

/**
 * Calls back after files have changed and it has been quiet for a moment; changes that come meanwhile are taken together
 * afterwards.
 * @param take is told the file that changed last.
 */
export function onSourcesChanged(take: (file: string) => Promise<void>): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let taking = Promise.resolve();
  const changed = (file: string) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      taking = taking.then(() => take(file));
    }, QUIET_FOR_MS);
  };
  for (const folder of folders) {
    watch(path.join(topFolder, folder), { recursive: true }, (_event, name) => {
      if (name !== null && /\.(tsx?|css|sql)$/.test(name)) changed(path.join(folder, name));
    });
  }
}
