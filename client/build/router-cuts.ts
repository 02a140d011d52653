import type { Cuts } from "./cut-code.ts";

/**
 * Fetchers, routes that are discovered late, restored scroll positions, view transitions, masked locations, submissions of text
 * and JSON, routes of which each property is lazy, and a router that is disposed of.
 */
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
    "dispose",
  ],
  instead: {
    interruptActiveLoads: "(isRevalidationRequired = true)",
    // The error screen says what it means.
    getInternalRouterError: "new ErrorResponseImpl(status, String(status), new Error(String(status)), true)",
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
    [
      "\t\tif (isBrowser) {\n\t\t\trestoreAppliedTransitions(",
      '\t\tif (!state.initialized) startNavigation("POP"',
    ],
    // The fetchers of a state, of a navigation and of its data.
    ["\t\tlet unmountedFetchers = [];", "\t\t[...subscribers].forEach("],
    ["\t\t\tdeletedFetchers: unmountedFetchers,", "\t\t\tnewErrors,", "\t\t\tdeletedFetchers: [],\n"],
    ["\t\tunmountedFetchers.forEach((key)", "\t}\n\tfunction completeNavigation("],
    [
      "\t\t\tlet workingFetchers = new Map(state.fetchers);\n\t\t\tlet didUpdateFetcherRedirects",
      "\t\t\tcompleteNavigation(location, {\n\t\t\t\tmatches,",
    ],
    ["\t\t\t\t...didUpdateFetcherRedirects ?", "\t\t\t}, { flushSync });\n\t\t\treturn { shortCircuited"],
    [
      "\t\t\tif (revalidatingFetchers.length > 0) updates.fetchers",
      "\t\t\tupdateState(updates, { flushSync });",
    ],
    [
      "\t\trevalidatingFetchers.forEach((rf) => {\n\t\t\tabortFetcher(rf.key);",
      "\t\tlet { loaderResults, fetcherResults } = await callLoadersAndMaybeResolveData(dsMatches, revalidatingFetchers, request,",
    ],
    [
      '\t\tif (pendingNavigationController) pendingNavigationController.signal.removeEventListener("abort"',
      "\t\tlet redirect = findRedirect(loaderResults);\n\t\tif (redirect) {\n\t\t\tawait",
    ],
    [
      "\t\tredirect = findRedirect(fetcherResults);\n\t\tif (redirect) {\n\t\t\tfetchRedirectIds.add(redirect.key);\n\t\t\tawait",
      "\t\tlet workingFetchers = new Map(state.fetchers);\n\t\tlet { loaderData, errors } = processLoaderData(state, matches, loaderResults, pendingActionResult",
    ],
    [
      "\t\tlet didUpdateFetcherRedirects = markFetchRedirectsDone(workingFetchers);\n\t\tlet didAbortFetchLoads",
      "\t\treturn {\n\t\t\tmatches,\n\t\t\tloaderData,\n\t\t\terrors,\n\t\t\t...shouldUpdateFetchers",
    ],
    ["\t\t\t...shouldUpdateFetchers ?", "\t\t};\n\t}\n\tfunction getUpdatedActionData("],
    [
      "\t\tlet fetcherResultsPromise = Promise.all(",
      "\t\treturn {\n\t\t\tloaderResults: await loaderResultsPromise,",
    ],
    ["\t\t\tfetcherResults: (await fetcherResultsPromise)", "\t\t};\n\t}\n\tfunction interruptActiveLoads("],
    ["\tfetchLoadMatches.forEach((f, key) => {\n\t\tif (initialHydration", "\treturn {\n\t\tdsMatches,\n"],
    [
      "\trevalidatingFetchers.filter((f) => !f.matches",
      "\treturn {\n\t\tloaderData,\n\t\terrors\n\t};\n}\nfunction mergeLoaderData(",
    ],
    // A location that is shown as another one.
    ["\t\tlet maskPath;\n", "\t\tlet currentLocation = state.location;", "\t\tlet maskPath;\n"],
    // Text and JSON.
    ["\tif (opts.body !== void 0) {\n", '\tinvariant(typeof FormData === "function"'],
    [
      'if (formEncType === "application/json") {\n\t\t\tinit.headers',
      'if (formEncType === "application/x-www-form-urlencoded" && submission.formData) init.body',
    ],
    // Lazy properties.
    [
      "const loadLazyRouteProperty = (",
      "const lazyRouteFunctionCache =",
      "const loadLazyRouteProperty = () => undefined;\n",
    ],
    ["\tlet lazyKeys = Object.keys(route.lazy);", "}\nfunction isNonNullable("],
    ["\tlet runClientMiddleware = isStaticHandler", "\tlet results = await dataStrategyImpl({"],
    [
      "\t\tfetcherKey,\n\t\trunClientMiddleware\n",
      "\t});\n\ttry {\n\t\tawait Promise.all(matches.flatMap(",
      "\t\tfetcherKey\n",
    ],
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
