import type { BunPlugin } from "bun";

/** The modules that the entry imports dynamically. */
const LATE_MODULES = /\/client\/(?:screens|account-screens|admin-screens|late-parts)\.tsx?$/;

/**
 * Lets every late module import the entry. The bundler makes one chunk per set of modules that the same chunks share. So all
 * of the entry, which every page loads anyway, becomes one chunk, and a page of the entry needs no other than it and the
 * vendor's. The entry may not await at its top level: a late module would wait for it, and it for the late module.
 */
export const shareEntry: BunPlugin = {
  name: "share-entry",
  setup(build) {
    build.onLoad({ filter: LATE_MODULES }, async ({ path }) => ({
      contents: `import "./entry.tsx";\n${await Bun.file(path).text()}`,
      loader: path.endsWith("x") ? "tsx" : "ts",
    }));
  },
};
