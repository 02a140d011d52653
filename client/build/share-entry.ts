import path from "node:path";
import type { BunPlugin } from "bun";

const ENTRY = path.join(import.meta.dir, "../entry.tsx");

/** The modules that the entry imports dynamically. */
const LATE_MODULES =
  /\/client\/(?:screens|account-screens|admin-screens|late-parts|phone\/phone-parts|end\/end-parts|share\/send-share|delay\/follow-behind|install\/late-install|passkeys\/passkey-parts|senses\/device-settings|senses\/feel)\.tsx?$/;

/**
 * Lets every late module import the entry. The bundler makes one chunk per set of modules that the same chunks share. So all
 * of the entry, which every page loads anyway, becomes one chunk, and a page of the entry needs no other than it and the
 * vendor's. The entry may not await at its top level: a late module would wait for it, and it for the late module.
 */
export const shareEntry: BunPlugin = {
  name: "share-entry",
  setup(build) {
    build.onLoad({ filter: LATE_MODULES }, async ({ path: file }) => ({
      contents: `import ${JSON.stringify(ENTRY)};\n${await Bun.file(file).text()}`,
      loader: file.endsWith("x") ? "tsx" : "ts",
    }));
  },
};
