import type { BunPlugin } from "bun";

/**
 * Modules of react-router that serve its framework mode, which we do not use, and what stands in for them in the browser.
 * A name that a newer version asks for and that is missing here breaks the build, not the page.
 */
const STAND_INS: Record<string, string> = {
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

/** Keeps out of the browser's bundle what no page of ours runs. */
export const slimBundle: BunPlugin = {
  name: "slim-bundle",
  setup(build) {
    for (const [module, contents] of Object.entries(STAND_INS)) {
      const filter = new RegExp(`/react-router/dist/production/lib/${module.replaceAll(".", "\\.")}$`);
      build.onLoad({ filter }, () => ({ contents, loader: "js" }));
    }
  },
};
