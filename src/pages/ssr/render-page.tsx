import type { ReactNode } from "react";
import {
  createStaticRouter,
  type DataRouteObject,
  isRouteErrorResponse,
  RouterContextProvider,
  type StaticHandlerContext,
  StaticRouterProvider,
} from "react-router";
import type { Api } from "#client/base/api/api.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { deferredIn, markDeferred } from "#client/base/deferred/hydrate-deferred.ts";
import { bigScreen } from "#client/base/format/words.ts";
import { apiContext, AppContext, pageContext } from "#client/base/page/context.ts";
import { isBigScreen, stageKeyIn } from "#client/base/page/guard.ts";
import { isHandle } from "#client/base/page/handle.ts";
import type { Page } from "#client/base/page/page.ts";
import { type Here, hereOf } from "#client/ui/use-here.ts";
import type { Deps } from "#src/base/deps.ts";
import { measurePagePart } from "#src/base/instruments.ts";
import { inSpan } from "#src/base/spans.ts";
import { FILE_LIMIT, FORM_LIMIT } from "#src/http/read-body.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { type PrefetchedRead, prefetchPageData } from "#src/pages/page-read/prefetch-page-data.ts";
import { authenticate } from "#src/people/sign-ins/authenticate.ts";
import type { Route } from "#src/people/sign-ins/handle-request.ts";
import { site } from "#src/settings/contract.ts";
import { type Assets, loadAssets } from "./assets.ts";
import { buildPageContext, handToLoaders } from "./build-page-context.ts";
import { describePage } from "./describe-page.ts";
import { delayFor, documentAround } from "./document.ts";
import { createInProcessApi } from "./in-process-api.ts";
import { cachingOf, findPageFiles, fontUseOf, runsScript } from "./page-files.ts";
import { readForm } from "./read-form.ts";
import { renderApp, waitForDeferred } from "./render-app.ts";
import { respond } from "./respond.ts";
import { matchPage, runPage } from "./run-page.ts";

// Decision: a projector or a stream's source is set up before there is something to see, and nobody sits at it. So where a big screen
// has nothing to show, its page says what to do, in letters that are read from afar, and looks again by itself. It needs neither the
// app nor a style sheet. Over a video it goes away after half a minute, and goes on looking.

const LOOK_EVERY_S = 5;

const texts = {
  nothing: {
    title: "Nothing is on this big screen yet.",
    text: "It opens when the host sends players here or starts the show, and closes a day after the end. The host can open it at any time: control room, Invite, Copy stage link.",
  },
  card: {
    title: "This show is not on.",
    text: "It appears here when its host sends players there or starts it.",
  },
  ended: {
    title: "This stage link shows nothing.",
    text: "The host may have made a new one: control room, Invite, Copy stage link. Open that one here.",
  },
  away: {
    title: "The server does not answer right now.",
    text: "Nothing is lost.",
  },
  again: "This page looks again every few seconds, and goes on by itself.",
} as const;

/** A reload without an answer would end in the browser's own error page. */
const SCRIPT = `setInterval(function(){fetch(location.href,{cache:"no-store"}).then(function(r){if(r.ok)location.reload()},function(){})},${LOOK_EVERY_S * 1_000})`;

const STYLES = `:root{color-scheme:light dark;--u:min(1vh,.5625vw)}
body{margin:0;min-height:100vh;display:grid;place-content:center start;background:light-dark(#eaece8,#0d0f11);color:light-dark(#14171a,#f3f5f1);
font:calc(4*var(--u))/1.3 system-ui,sans-serif}
main{max-width:calc(150*var(--u));padding:calc(6*var(--u)) calc(9*var(--u))}
h1{font-size:calc(8*var(--u));line-height:1.1;margin:0}p{margin:1em 0 0;text-wrap:pretty}
.overlay{color-scheme:dark}.overlay,.overlay body{background:transparent}
.overlay body{place-content:end start}
.overlay main{margin:calc(4*var(--u));padding:calc(3*var(--u));border-radius:calc(2*var(--u));background:#181b1f;color:#f3f5f1;
max-width:calc(110*var(--u));font-size:calc(2.8*var(--u));animation:go 1s 30s forwards}
.overlay h1{font-size:calc(3.6*var(--u))}
@keyframes go{to{opacity:0;visibility:hidden}}`;

/** The status in the log for a client that has left before the page was ready, as in nginx. */
const CLIENT_LEFT = 499;

type Rendering = { deps: Deps; context: RequestContext; assets: Assets };
type Begun = {
  /** What is being read with the sign-in. */
  begun: PrefetchedRead;
  carriesFile: boolean;
};

/**
 * Answers a page request: runs guards, action and loaders, then redirects or renders the page. What loaders have deferred follows
 * in the same answer.
 */
async function renderPage({ deps, context, assets, ...begun }: Rendering & Begun): Promise<Response> {
  const { request } = context;
  const authentication = await authenticate(deps, context);
  const form = { authentication, hasFile: begun.carriesFile };
  const pageRequest = await readForm(deps, context, form);
  const { viewer } = authentication;
  const csrfToken = authentication.csrfToken();
  const opened = await buildPageContext(deps, request, { viewer, csrfToken, begun: begun.begun });
  const api = createInProcessApi(deps, context);
  const forRoutes = new RouterContextProvider();
  handToLoaders(forRoutes, request, opened);
  const { page } = opened;
  forRoutes.set(pageContext, page);
  forRoutes.set(apiContext, api);
  const visit = { deps, context, assets, page, api };
  try {
    const render = (result: StaticHandlerContext) => inSpan("render", () => renderResult(visit, result));
    const response = await inSpan("page", () => runPage(pageRequest, forRoutes, render));
    return orEmptyStage(context, withoutRouterHeaders(response));
  } catch (error) {
    // The client has left. Nobody reads this answer, and what was aborted is no bug.
    if (request.signal.aborted) return new Response(null, { status: CLIENT_LEFT });
    throw error;
  }
}

/** Renders the page with what its loaders and its action have returned. */
async function renderResult(
  { deps, context, assets, page, api }: Rendering & { page: Page; api: Api },
  result: StaticHandlerContext,
): Promise<Response> {
  const { request, requestId, nonce } = context;
  const parts = deferredIn(result.loaderData);
  if (parts.length > 0) await waitForDeferred(parts);
  // The client has left. Nobody reads this answer, and what was aborted is no bug.
  if (request.signal.aborted) return new Response(null, { status: CLIENT_LEFT });
  logBugs(deps, { errors: result.errors, parts }, requestId);
  context.route = patternOf(result);
  const startedAtMs = performance.now();
  const app = await renderApp(pageApp({ page, api }, result), {
    nonce,
    isPending: parts.some(({ settled }) => settled === null),
    onError: (error) => deps.log.error({ err: error, requestId }, "rendering a page failed"),
  });
  const matches = matchesOf(result);
  const { marked, pending } = markDeferred(result.loaderData, parts);
  const files = findPageFiles(assets, moduleOf(matches));
  context.styleSources = files.styleSources;
  const here = hereOf(matches);
  const { title, layout } = here;
  const { statusCode: status } = result;
  const { delaySeconds: seconds } = page;
  // Pages that signed-out viewers see tell nothing, except the game.
  const isDelayed = seconds > 0 && (page.viewer !== null || layout === "play");
  const around = documentAround(
    {
      page,
      title,
      description: describePage(deps.env, { here, matches, path: sharedPathOf(here, context), status }),
      delay: isDelayed ? await delayFor(deps, { seconds, isComplete: app.rest === null }) : null,
      nonce,
      hydrationData: hydrationData({ ...result, loaderData: marked }),
      files,
    },
    {
      isStreamed: app.rest !== null,
      isKnown: runsScript(request),
      font: fontUseOf(request),
    },
  );
  const caching = cachingOf(request, { page, status, matches });
  measurePagePart("render", startedAtMs);
  return withRetryAfter(respond(request, { around, app, pending, nonce, status, caching }), result);
}

/** What a link to the page needs of its address: an invitation has its code in the query. */
function sharedPathOf({ route }: Here, { path, request }: RequestContext): string {
  return route === "/join" ? path + new URL(request.url).search : path;
}

const patterns = new WeakMap<object, string>();

/** The pattern of the innermost route: `/sessions/:slug/replay` */
function patternOf({ matches }: StaticHandlerContext): string {
  const innermost = matches.at(-1)?.route;
  const known = innermost === undefined ? undefined : patterns.get(innermost);
  if (known !== undefined) return known;
  const parts = matches.flatMap(({ route: { path = "" } }) => path.split("/").filter((part) => part !== ""));
  const pattern = `/${parts.join("/")}`;
  if (innermost !== undefined) patterns.set(innermost, pattern);
  return pattern;
}

type Match = { id: string; handle: unknown; loaderData: unknown };

function matchesOf({ matches, loaderData }: StaticHandlerContext): Match[] {
  return matches.map(({ route }) => ({
    id: route.id,
    handle: route.handle,
    loaderData: loaderData[route.id],
  }));
}

/** The module with the code of the screen; null if that is part of the entry. */
function moduleOf(matches: readonly Match[]): string | null {
  for (const { handle } of matches.toReversed()) if (isHandle(handle)) return handle.module;
  return null;
}

/** Logs what loaders and actions have thrown, and what the parts that are still loaded will throw. */
function logBugs(
  deps: Deps,
  { errors, parts }: { errors: StaticHandlerContext["errors"]; parts: readonly Deferred[] },
  requestId: string,
): void {
  const log = (error: Error) => deps.log.error({ err: error, requestId }, "a loader or action failed");
  for (const error of Object.values(errors ?? {})) {
    if (error instanceof Error) log(error);
  }
  for (const part of parts) {
    void part.outcome.then(() => part.bug !== null && log(part.bug));
  }
}

/** Copies the Retry-After header of a loader or action to the page. */
function withRetryAfter(
  response: Response,
  { actionHeaders, loaderHeaders }: StaticHandlerContext,
): Response {
  const routeHeaders = [...Object.values(actionHeaders), ...Object.values(loaderHeaders)];
  const waitS = routeHeaders.map((headers) => headers.get("retry-after")).find((seconds) => seconds !== null);
  if (waitS !== undefined) response.headers.set("retry-after", waitS);
  return response;
}

/** Removes headers that are only for a router in the browser. */
function withoutRouterHeaders(response: Response): Response {
  response.headers.delete("x-remix-reload-document");
  response.headers.delete("x-remix-replace");
  return response;
}

/** The data that the browser's router hydrates from, in its format. Unknown errors are reported without their details. */
function hydrationData({ loaderData, actionData, errors }: StaticHandlerContext): unknown {
  return { loaderData, actionData, errors: errors === null ? null : serializeErrors(errors) };
}

function serializeErrors(errors: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(errors).map(([routeId, error]) => [
      routeId,
      // The router's own words for it are those of a status 500.
      isRouteErrorResponse(error)
        ? { ...error, statusText: "" }
        : { message: "Something went wrong on our side." },
    ]),
  );
}

/** The answer to a page request, or in its place the page of a big screen that has nothing to show. */
function orEmptyStage(context: RequestContext, response: Response): Response {
  const { status } = response;
  if (response.ok || status < 400 || !isBigScreen(context.request.url)) return response;
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
  return new Response(emptyStage(context, status), { status, headers });
}

function emptyStage({ request, nonce }: RequestContext, status: number): string {
  const isOverlay = new URL(request.url).searchParams.has("overlay");
  const { title, text } = textsFor(request, status);
  return `<!doctype html>
<html lang="en"${isOverlay ? ' class="overlay"' : ""}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${bigScreen} · ${Bun.escapeHTML(site().name)}</title>
<noscript><meta http-equiv="refresh" content="${LOOK_EVERY_S}"></noscript>
<style nonce="${nonce}">${STYLES}</style></head>
<body><main><h1>${Bun.escapeHTML(title)}</h1><p>${Bun.escapeHTML(text)}</p><p>${texts.again}</p></main>
<script nonce="${nonce}">${SCRIPT}</script></body></html>`;
}

function textsFor(request: Request, status: number): { title: string; text: string } {
  if (status >= 500) return texts.away;
  if (new URL(request.url).pathname.endsWith("/card")) return texts.card;
  return stageKeyIn(request.url) === "" ? texts.nothing : texts.ended;
}

/**
 * Begins to read what the record of a page's route says, and returns what answers the request. Call it before the request is
 * authenticated: the sign-in is read in the same statement.
 */
export function beginPage(deps: Deps, context: RequestContext): Route & { answer: () => Promise<Response> } {
  const { screen, params } = matchPage(context.path);
  const { reads = {}, carriesFile = false } = screen ?? {};
  context.isFramed = screen?.flags.framed === true;
  const begun = prefetchPageData(deps, context, { reads, params });
  return {
    answer: async () => renderPage({ deps, context, begun, carriesFile, assets: await loadAssets() }),
    proof: "form",
    bytesMax: carriesFile ? FILE_LIMIT.bytes : FORM_LIMIT.bytes,
  };
}

/** The app of one page, with what its loaders and its action have returned. */
function pageApp(app: { page: Page; api: Api }, result: StaticHandlerContext): ReactNode {
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
