import type { BunPlugin } from "bun";
import { cutCode } from "./cut-code.ts";
import { reactCuts } from "./react-cuts.ts";
import { routerCuts } from "./router-cuts.ts";

const REACT_DOM = "node_modules/react-dom/cjs/react-dom-client.production.js";
const ACTION_CABLE = "node_modules/@rails/actioncable/app/assets/javascripts/actioncable.esm.js";
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

/** Hints for developers in the console, each a statement on a line of its own. */
const WARNINGS = /^\t*(?:warning|warnOnce)\(.*\);\n/gm;
const LOGS = /^ *logger\.log\(.*\);\n/gm;

/** Leaves out what no page runs: a third of react-dom and react-router. */
export const slimBundle: BunPlugin = {
  name: "slim-bundle",
  setup(build) {
    build.onLoad({ filter: endOf(REACT_DOM) }, async ({ path }) => ({
      contents: cutCode(await Bun.file(path).text(), reactCuts, REACT_DOM),
      loader: "js",
    }));
    build.onLoad({ filter: endOf(ACTION_CABLE) }, async ({ path }) => ({
      contents: (await Bun.file(path).text()).replaceAll(LOGS, ""),
      loader: "js",
    }));
    build.onLoad({ filter: new RegExp(`/${REACT_ROUTER}`) }, async ({ path }) => ({
      contents: await slimRouterModule(path),
      loader: "js",
    }));
  },
};

async function slimRouterModule(file: string): Promise<string> {
  const module = file.slice(file.indexOf(REACT_ROUTER) + REACT_ROUTER.length);
  const replacement = REPLACEMENTS[module];
  if (replacement !== undefined) return replacement;
  const source = await Bun.file(file).text();
  const cuts = routerCuts[module];
  return (cuts === undefined ? source : cutCode(source, cuts, module)).replaceAll(WARNINGS, "");
}

function endOf(file: string): RegExp {
  return new RegExp(`/${RegExp.escape(file)}$`);
}

/** The project's own modules that may be in the bundle. */
const allowedSources = [/^client\//, /^src\/[^/]+\/contract\.ts$/, /^db\/lists\/[^/]+\.ts$/];

/**
 * Checks the modules of a bundle, by their paths below the project.
 * @throws if the server's code or valibot is among them (the browser does not validate what its own server sends), or if a
 *   module that is replaced or cut is not: a newer version has moved it, and the bundle would silently grow.
 */
export function checkModules(modules: readonly string[]): void {
  const isForeign = (module: string) =>
    module.startsWith("node_modules/")
      ? module.startsWith("node_modules/valibot/")
      : !allowedSources.some((allowed) => allowed.test(module));
  const foreign = modules.filter(isForeign);
  if (foreign.length > 0) throw new Error(`The browser's bundle must not contain ${foreign.join(", ")}.`);
  for (const module of slimmedModules) {
    if (!modules.includes(module))
      throw new Error(`There is no module ${module} to slim; adjust client/build/slim-bundle.ts.`);
  }
}

/** The modules that the bundle has another version of, by their paths below the project. */
export const slimmedModules: readonly string[] = [
  REACT_DOM,
  ACTION_CABLE,
  ...[...Object.keys(REPLACEMENTS), ...Object.keys(routerCuts)].map((module) => REACT_ROUTER + module),
];
