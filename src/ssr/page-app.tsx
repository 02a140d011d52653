import type { ReactNode } from "react";
import {
  createPath,
  createStaticRouter,
  type DataRouteObject,
  renderMatches,
  Router,
  type StaticHandlerContext,
  StaticRouterProvider,
  type To,
  UNSAFE_DataRouterContext as RouterContext,
  UNSAFE_DataRouterDataContext as DataContext,
  UNSAFE_DataRouterNavigationContext as NavigationContext,
  UNSAFE_DataRouterStateContext as StateContext,
  UNSAFE_FetchersContext as FetchersContext,
  UNSAFE_ViewTransitionContext as TransitionContext,
} from "react-router";
import type { Api } from "#client/api.ts";
import { AppContext } from "#client/context.ts";
import type { Page } from "#client/page.ts";

/** Paths whose letters mean the same encoded and decoded. */
const plainPath = /^[\w/~.-]+$/;

type App = { page: Page; api: Api };

/** The app of one page, with what its loaders and its action have returned. */
export function pageApp(app: App, result: StaticHandlerContext): ReactNode {
  const isPlain = result.errors === null && plainPath.test(result.location.pathname);
  if (!isPlain) return routerApp(app, result);
  return (
    <AppContext value={app}>
      <PlainRouter result={result} />
    </AppContext>
  );
}

/** The same by the router's own provider, which can do all kinds of pages. */
export function routerApp(app: App, result: StaticHandlerContext): ReactNode {
  return (
    <AppContext value={app}>
      <StaticRouterProvider
        router={createStaticRouter(routesOf(result), result)}
        context={result}
        hydrate={false}
      />
    </AppContext>
  );
}

/**
 * Provides what StaticRouterProvider provides, for a page without errors. That one prepares all routes, encodes the address for
 * each of them, and prepares to catch errors, which it cannot do on the server: a fifth of the time in which a page is rendered.
 */
function PlainRouter({ result }: { result: StaticHandlerContext }) {
  const router = createStaticRouter([], result);
  const { state } = router;
  const { navigation, revalidation, loaderData, actionData, errors, fetchers } = state;
  const basename = "/";
  return (
    <>
      <RouterContext value={{ router, navigator, static: true, staticContext: result, basename }}>
        <StateContext value={state}>
          <NavigationContext value={{ navigation, revalidation }}>
            <DataContext value={{ loaderData, actionData, errors }}>
              <FetchersContext value={{ fetchers, fetcherData: new Map() }}>
                <TransitionContext value={{ isTransitioning: false }}>
                  <Router
                    basename={basename}
                    location={state.location}
                    navigationType={state.historyAction}
                    navigator={navigator}
                    static
                    useTransitions={false}
                  >
                    {renderMatches(result.matches)}
                  </Router>
                </TransitionContext>
              </FetchersContext>
            </DataContext>
          </NavigationContext>
        </StateContext>
      </RouterContext>
      {null}
    </>
  );
}

/** Links need their addresses. Nothing on the server navigates. */
const navigator = {
  createHref: (to: To) => (typeof to === "string" ? to : createPath(to)),
  go: noNavigation,
  push: noNavigation,
  replace: noNavigation,
};

function noNavigation(): never {
  throw new Error("The server does not navigate.");
}

/** The routes of this page alone, outermost first, each in the one before it: the router prepares all that it is given. */
function routesOf({ matches }: StaticHandlerContext): DataRouteObject[] {
  let below: DataRouteObject[] = [];
  for (const { route } of matches.toReversed())
    below = [route.index === true ? route : { ...route, children: below }];
  return below;
}
