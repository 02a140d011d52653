import type { Cuts } from "./cut-code.ts";

/** Fetchers, routes that are discovered late, restored scroll positions, and view transitions. */
const router: Cuts = {
  sha256: "191be8bba51421c8b1924bb82ca9ad68dbf5629f536a7dbf7efd0bd7f9d18b79",
  never: [
    "fetch",
    "handleFetcherAction",
    "handleFetcherLoader",
    "setFetcherError",
    "updateFetcherState",
    "getUpdatedRevalidatingFetchers",
    "getFetcher",
    "resetFetcher",
    "deleteFetcher",
    "queueFetcherForDeletion",
    "abortFetcher",
    "markFetchersDone",
    "getLoadingFetcher",
    "getSubmittingFetcher",
    "getDoneFetcher",
    "cancelDiscoveryNavigation",
    "discoverRoutes",
    "compareMatches",
    "patchRoutes",
    "patchRoutesImpl",
    "_internalSetRoutes",
    "getInstrumentationNavigateMeta",
    "enableScrollRestoration",
    "getScrollKey",
  ],
  instead: {
    markFetchRedirectsDone: "false",
    abortStaleFetchLoads: "false",
    checkFogOfWar: "{ active: false, matches: null }",
    saveScrollPosition: "",
    getSavedScrollPosition: "null",
    restoreAppliedTransitions: "",
    persistAppliedTransitions: "",
  },
  ranges: [
    // What a navigation does with routes that are discovered late.
    [
      "\t\tif (isFogOfWar) {\n\t\t\tlet discoverResult",
      "\t\tif (future.unstable_customRouteDiscovery) interruptActiveLoads();\n\t\tlet result;",
    ],
    [
      "\t\tif (isFogOfWar) {\n\t\t\tif (shouldUpdateNavigationState)",
      "\t\tlet { dsMatches, revalidatingFetchers } = getMatchesToLoad",
    ],
    // What a POP or a Link with `viewTransition` does.
    [
      "\t\tlet viewTransitionOpts;\n\t\tif (pendingAction",
      "\t\tupdateState({\n\t\t\t...newState,\n\t\t\tactionData",
    ],
    ["\t\t\tviewTransitionOpts,\n", "\t\t\tflushSync: flushSync === true\n\t\t});\n\t\tresetPending"],
  ],
};

/** View transitions between two states of the router. */
const components: Cuts = {
  sha256: "17f5b93a2aa4f5cd843cf31cce846d83447e4097773b2db722d5da48a2ba5528",
  never: ["handleSkippedViewTransition"],
  instead: {},
  ranges: [
    [
      "\t\tif (reactDomFlushSyncImpl && flushSync) {\n\t\t\treactDomFlushSyncImpl(() => {",
      "\t}, [\n\t\trouter.window,\n\t\treactDomFlushSyncImpl,",
    ],
    ["\tReact$1.useEffect(() => {\n\t\tif (vtContext.isTransitioning", "\tlet navigator = React$1.useMemo"],
  ],
};

/** Server components, and the error page of routes without an error screen. */
const hooks: Cuts = {
  sha256: "4225dbaabe4ecb0ceeac1accc87afb4a6f4165692712995130cd5e36274c88b3",
  never: ["RSCErrorHandler", "DefaultErrorComponent"],
  instead: {},
  ranges: [],
};

/** Features of react-router that this app does not use, by the file that has them. */
export const routerCuts: Readonly<Record<string, Cuts>> = {
  "router/router.js": router,
  "components.js": components,
  "hooks.js": hooks,
};
