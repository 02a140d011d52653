import type { ReactNode } from "react";
import {
  createStaticRouter,
  type DataRouteObject,
  type StaticHandlerContext,
  StaticRouterProvider,
} from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { AppContext } from "#client/base/page/context.ts";
import type { Page } from "#client/base/page/page.ts";

type App = { page: Page; api: Api };

/** The app of one page, with what its loaders and its action have returned. */
export function pageApp(app: App, result: StaticHandlerContext): ReactNode {
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

/** The routes of this page alone, outermost first, each in the one before it: the router prepares all that it is given. */
function routesOf({ matches }: StaticHandlerContext): DataRouteObject[] {
  let below: DataRouteObject[] = [];
  for (const { route } of matches.toReversed())
    below = [route.index === true ? route : { ...route, children: below }];
  return below;
}
