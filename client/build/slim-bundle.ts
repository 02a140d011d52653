import type { BunPlugin } from "bun";

const REACT_ROUTER = "node_modules/react-router/dist/production/lib/";

/**
 * Modules of react-router that serve only its framework mode, which this app does not use, and their replacements in the
 * browser. A newer version that imports a name which is missing here breaks the build.
 */
const REPLACEMENTS: Record<string, string> = {
  "dom/ssr/components.js": `
    import { createContext } from "react";
    export const FrameworkContext = createContext(undefined);
    export const PrefetchPageLinks = () => null;
    export const usePrefetchBehavior = () => [false, null, {}];
    export const mergeRefs = (ref) => ref;`,
  "router/instrumentation.js": `
    export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
    export const getRouteInstrumentationUpdates = () => ({});
    export const instrumentClientSideRouter = (router) => router;`,
};

/** Replaces modules that no page runs. */
export const slimBundle: BunPlugin = {
  name: "slim-bundle",
  setup(build) {
    for (const [module, contents] of Object.entries(REPLACEMENTS)) {
      const filter = new RegExp(`/${REACT_ROUTER}${module}$`.replaceAll(".", "\\."));
      build.onLoad({ filter }, () => ({ contents, loader: "js" }));
    }
  },
};

/** The project's own modules that may be in the bundle. */
const allowedSources = [/^client\//, /^src\/[^/]+\/contract\.ts$/, /^db\/lists\/[^/]+\.ts$/];

/**
 * Checks the modules of a bundle, by their paths below the project.
 * @throws if the server's code or valibot is among them (the browser does not validate what its own server sends), or if a
 *   replaced module is not: a newer react-router has moved it, and the bundle would silently grow.
 */
export function checkModules(modules: readonly string[]): void {
  const isForeign = (module: string) =>
    module.startsWith("node_modules/")
      ? module.startsWith("node_modules/valibot/")
      : !allowedSources.some((allowed) => allowed.test(module));
  const foreign = modules.filter(isForeign);
  if (foreign.length > 0) throw new Error(`The browser's bundle must not contain ${foreign.join(", ")}.`);
  for (const module of Object.keys(REPLACEMENTS)) {
    if (!modules.includes(REACT_ROUTER + module))
      throw new Error(`react-router has no module ${module} to replace; adjust client/build/slim-bundle.ts.`);
  }
}
