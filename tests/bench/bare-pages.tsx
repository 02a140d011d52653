import { renderToReadableStream } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  type StaticHandlerContext,
  StaticRouterProvider,
} from "react-router";
import * as v from "valibot";
import { apiContext, AppContext, pageContext } from "#client/context.ts";
import { routes } from "#client/routes.tsx";
import type { Deps } from "#src/base/deps.ts";
import { createRequestContext } from "#src/http/request-context.ts";
import { createServer } from "#src/server.ts";
import { authenticate } from "#src/sign-ins/authenticate.ts";
import { createInProcessApi } from "#src/ssr/in-process-api.ts";
import { pageOf } from "#src/ssr/page-of.ts";
import { openDeps } from "./open-deps.ts";

const wanted = v.object({
  path: v.string(),
  headers: v.record(v.string(), v.string()),
  userId: v.number(),
  sessionId: v.number(),
});
/** A page, who asks for it, and what a bare server asks the database for it. */
export type Wanted = v.InferOutput<typeof wanted>;

/**
 * Serves a page as a bare Bun.serve would: /react asks the database twice (the viewer's wallet, the session's events) and
 * streams the page by React's own means, /constant answers the finished page from memory. What the page shows was found
 * once, before.
 */
async function serveBarely(deps: Deps, page: Wanted): Promise<number> {
  const { sql } = deps.pool;
  const app = await prepareApp(deps, page);
  const constant = await new Response(await renderToReadableStream(app())).text();
  const headers = { "content-type": "text/html; charset=utf-8" };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    routes: {
      "/constant": () => new Response(constant, { headers }),
      "/react": async () => {
        await Promise.all([
          sql`SELECT * FROM accounts WHERE user_id = ${page.userId}`,
          sql`SELECT * FROM events e JOIN spots s ON s.event_id = e.id WHERE e.session_id = ${page.sessionId}`,
        ]);
        return new Response(await renderToReadableStream(app()), { headers });
      },
    },
  });
  return server.port ?? 0;
}

/** @returns what makes the page's tree anew, around what it shows. */
async function prepareApp(deps: Deps, { path, headers }: Wanted) {
  const server = createServer(deps);
  const request = new Request(new URL(path, deps.env.publicUrl), { headers });
  createRequestContext(request, "");
  const page = await pageOf(deps, request, await authenticate(deps, request));
  const api = createInProcessApi((inner) => server.handle(inner), request, page.csrfToken);
  const context = new RouterContextProvider();
  context.set(pageContext, page);
  context.set(apiContext, api);
  const handler = createStaticHandler(routes);
  const found = Promise.withResolvers<StaticHandlerContext>();
  await handler.query(request, {
    requestContext: context,
    generateMiddlewareResponse: async (query) => {
      const result = await query(request);
      if (result instanceof Response) throw new Error(`the page answers ${result.status}`);
      found.resolve(result);
      return new Response();
    },
  });
  const result = await found.promise;
  return () => (
    <html lang="en">
      <body>
        <AppContext value={{ page, api }}>
          <StaticRouterProvider
            router={createStaticRouter(handler.dataRoutes, result)}
            context={result}
            hydrate={false}
          />
        </AppContext>
      </body>
    </html>
  );
}

if (import.meta.main) {
  const page = v.parse(v.pipe(v.string(), v.parseJson(), wanted), process.argv[2]);
  process.send?.({ port: await serveBarely(await openDeps(), page) });
}
