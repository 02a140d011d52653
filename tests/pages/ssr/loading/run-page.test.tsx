import { expect, test } from "bun:test";
import { renderToString } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router";
import { routes } from "#client/app/routes.tsx";
import { deferredIn } from "#client/base/deferred/hydrate-deferred.ts";
import { AppContext, pageContext } from "#client/base/page/context.ts";
import { createInProcessApi } from "#src/pages/ssr/in-process-api.ts";
import { pageApp } from "#src/pages/ssr/page-app.tsx";
import { runPage } from "#src/pages/ssr/run-page.ts";
import { createServer } from "#src/server.ts";
import { buildWorld, pathIn } from "#tests/http/access-world.ts";
import { pageAccess } from "#tests/http/page-access.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { openVisit } from "./open-visit.ts";

const deps = await testDeps();
const server = createServer(deps);
const world = await buildWorld(deps);
const { dataRoutes } = createStaticHandler(routes);

for (const key of Object.keys(pageAccess).filter((one) => one.startsWith("GET "))) {
  test(`${key} is rendered with its own routes as with all of them`, async () => {
    const credentials = await signInDirectly(deps, world.users.admin);
    const visit = await openVisit({ deps, server }, pathIn(world, key, null), credentials);
    const api = createInProcessApi(deps, visit.received);
    const context = visit.context(api);
    await runPage(visit.received.request, context, async (result) => {
      for (const part of deferredIn(result.loaderData)) await part.outcome;
      const app = { page: context.get(pageContext), api };
      const router = createStaticRouter(dataRoutes, result);
      const withAllRoutes = (
        <AppContext value={app}>
          <StaticRouterProvider router={router} context={result} hydrate={false} />
        </AppContext>
      );
      expect(withoutKeys(renderToString(pageApp(app, result)))).toBe(
        withoutKeys(renderToString(withAllRoutes)),
      );
      return new Response();
    });
  });
}

/** Forms get a new key each time. */
const withoutKeys = (text: string) => text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "(key)");
