import { watch } from "node:fs";
import path from "node:path";

/** Editors write a file in several steps, and a checkout writes many files. */
const DEBOUNCE_MS = 150;

const topFolder = path.join(import.meta.dir, "../..");
const folders = ["client", "src", "jobs", "db"];

/**
 * Calls back after source files have changed, once no file has changed for a moment. Calls run one at a time.
 * @param restart gets the file that changed last.
 */
export function onSourcesChanged(restart: (file: string) => Promise<void>): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = Promise.resolve();
  const changed = (file: string) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(() => restart(file));
    }, DEBOUNCE_MS);
  };
  for (const folder of folders) {
    watch(path.join(topFolder, folder), { recursive: true }, (_event, name) => {
      if (name !== null && /\.(tsx?|css|sql)$/.test(name)) changed(path.join(folder, name));
    });
  }
}
