import { renderToReadableStream } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  type StaticHandlerContext,
  StaticRouterProvider,
} from "react-router";
import * as v from "valibot";
import { routes } from "#client/app/routes.tsx";
import { createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { deferredIn } from "#client/base/deferred/hydrate-deferred.ts";
import { apiContext, AppContext, pageContext } from "#client/base/page/context.ts";
import { type Page, unknownOffsets } from "#client/base/page/page.ts";
import { connect, type DatabasePool } from "#db/client.ts";
import { readEnv } from "#src/settings/env.ts";

const barePage = v.object({
  path: v.string(),
  /** The second query of the page, with the id of the viewer or the session as its only parameter. */
  query: v.string(),
  parameter: v.number(),
  userId: v.number(),
  credentials: v.record(v.string(), v.string()),
});
/** A page of one viewer. The bare server queries the viewer's wallet and `query` for each answer. */
export type BarePage = v.InferOutput<typeof barePage>;
const settings = v.object({
  /** The product, from which the content is loaded. */
  origin: v.string(),
  /** The active session; null if there is none. */
  session: v.nullable(v.object({ id: v.number(), slug: v.string() })),
  pages: v.array(barePage),
});
export type BareSettings = v.InferOutput<typeof settings>;

const headers = { "content-type": "text/html; charset=utf-8" };
const handler = createStaticHandler(routes);

/**
 * Serves pages with Bun.serve alone. /react/7 makes two queries for page 7 (its viewer's wallet, and what the page is about)
 * and streams the page's tree with React. Every page has its own viewer's content, which is loaded once, at the start.
 * @returns the port.
 */
async function serveBarePages({ sql }: DatabasePool, { pages, ...show }: BareSettings): Promise<number> {
  const apps: { app: () => React.ReactNode; page: BarePage }[] = [];
  for (const page of pages) apps.push({ app: await prepareApp(page, show), page });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    routes: {
      "/react/:number": async ({ params }) => {
        const prepared = apps[Number(params.number)];
        if (prepared === undefined) return new Response(null, { status: 404 });
        const { userId, query, parameter } = prepared.page;
        await Promise.all([
          sql`SELECT * FROM accounts WHERE user_id = ${userId}`,
          sql.unsafe(query, [parameter]),
        ]);
        return new Response(await renderToReadableStream(prepared.app()), { headers });
      },
    },
  });
  return server.port ?? 0;
}

type ShowOf = Omit<BareSettings, "pages">;

/** @returns a function that renders the page's tree around its content. */
async function prepareApp(barePage: BarePage, { origin, session }: ShowOf): Promise<() => React.ReactNode> {
  const { cookie = "", ...csrf } = barePage.credentials;
  const [csrfToken = ""] = Object.values(csrf);
  const api = createApi({
    inProcess: true,
    carry: overHttp({
      csrfToken,
      send: (path, init) =>
        fetch(origin + path, {
          ...init,
          headers: { ...Object.fromEntries(new Headers(init.headers)), cookie },
        }),
    }),
  });
  const { user } = await api.get("/api/v1/users/me");
  const page: Page = {
    viewer: { ...user, hostOf: [] },
    csrfToken,
    cableUrl: "/cable",
    activeSession: session,
    theme: "system",
    timeZone: "UTC",
    demo: false,
    delaySeconds: 0,
    streamOffsets: unknownOffsets,
  };
  const context = new RouterContextProvider();
  context.set(pageContext, page);
  context.set(apiContext, api);
  const result = await load(new Request(origin + barePage.path), context);
  const router = createStaticRouter(handler.dataRoutes, result);
  return () => (
    <html lang="en">
      <body>
        <AppContext value={{ page, api }}>
          <StaticRouterProvider router={router} context={result} hydrate={false} />
        </AppContext>
      </body>
    </html>
  );
}

/** Runs the page's loaders and waits for all of its data, late parts too. */
async function load(request: Request, context: RouterContextProvider): Promise<StaticHandlerContext> {
  const loaded = Promise.withResolvers<StaticHandlerContext>();
  await handler.query(request, {
    requestContext: context,
    generateMiddlewareResponse: async (query) => {
      const result = await query(request);
      if (result instanceof Response)
        throw new Error(`${request.url} answers ${result.status} ${result.headers.get("location") ?? ""}`);
      loaded.resolve(result);
      return new Response();
    },
  });
  const result = await loaded.promise;
  await Promise.all(deferredIn(result.loaderData).map(({ outcome }) => outcome));
  if (result.statusCode !== 200 || result.errors !== null)
    throw new Error(`${request.url} fails: ${JSON.stringify(result.errors)}`);
  return result;
}

if (import.meta.main) {
  process.on("message", (message) => {
    void serveBarePages(connect(readEnv().databaseUrl), v.parse(settings, message)).then((port) =>
      process.send?.({ port }),
    );
  });
}
