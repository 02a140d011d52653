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
import { openPage } from "#src/ssr/open-page.ts";
import { openDeps } from "./open-deps.ts";

const pageRequest = v.object({
  path: v.string(),
  headers: v.record(v.string(), v.string()),
  userId: v.number(),
  sessionId: v.number(),
});
/** The request for a page, and the ids of the user and the session that the bare server queries for it. */
export type PageRequest = v.InferOutput<typeof pageRequest>;

/**
 * Serves a page with Bun.serve alone. /react makes two queries (the viewer's wallet, the session's events) and streams the
 * page with React. /constant returns the finished page from memory. The page's content is loaded once, at the start.
 * @returns the port.
 */
async function serveBarePages(deps: Deps, page: PageRequest): Promise<number> {
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

/** @returns a function that renders the page's tree around its content. */
async function prepareApp(deps: Deps, { path, headers }: PageRequest) {
  const server = createServer(deps);
  const request = new Request(new URL(path, deps.env.publicUrl), { headers });
  createRequestContext(request, "");
  const { viewer, csrfToken } = await authenticate(deps, request);
  const page = await openPage(deps, request, { viewer, csrfToken: csrfToken() }).page;
  const api = createInProcessApi((inner) => server.handle(inner), request, page.csrfToken);
  const context = new RouterContextProvider();
  context.set(pageContext, page);
  context.set(apiContext, api);
  const handler = createStaticHandler(routes);
  const handlerContext = Promise.withResolvers<StaticHandlerContext>();
  await handler.query(request, {
    requestContext: context,
    generateMiddlewareResponse: async (query) => {
      const result = await query(request);
      if (result instanceof Response) throw new Error(`the page answers ${result.status}`);
      handlerContext.resolve(result);
      return new Response();
    },
  });
  const result = await handlerContext.promise;
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
  const page = v.parse(v.pipe(v.string(), v.parseJson(), pageRequest), process.argv[2]);
  process.send?.({ port: await serveBarePages(await openDeps(), page) });
}
