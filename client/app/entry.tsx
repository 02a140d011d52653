import "#client/base/browser/older-functions.ts";
import "#client/styles/players.css";
import { type ReactNode, startTransition, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { createBrowserRouter, matchRoutes, RouterContextProvider } from "react-router";
import { RouterProvider } from "react-router/dom";
import type { Api } from "#client/base/api/api.ts";
import { createBrowserApi } from "#client/base/api/over-http.ts";
import { ignoreKeys } from "#client/base/browser/ignore-keys.ts";
import { whenIdle } from "#client/base/browser/when-idle.ts";
import { type LoaderData, reviveDeferred } from "#client/base/deferred/hydrate-deferred.ts";
import { followDelay } from "#client/base/delay/follow-delay.ts";
import { learnTimeZone, recallTimeZone } from "#client/base/format/time-zone.ts";
import { withLate } from "#client/base/live/late-code.ts";
import { followPageCache } from "#client/base/live/page-cache.ts";
import { whenUsed } from "#client/base/live/when-used.ts";
import { apiContext, AppContext, pageContext } from "#client/base/page/context.ts";
import { type Page, readPage } from "#client/base/page/page.ts";
import { recallWager } from "#client/events/use-wager.ts";
import { startInstall } from "#client/install/start-install.ts";
import { routes } from "./routes.tsx";

declare global {
  interface Window {
    /** The page has found that the browser is too old for the app (src/pages/ssr/document.ts). */
    tooOld?: true;
  }
}

/** A page that is live later than this came over a slow line, or to a slow device. */
const SLOW_LIVE_MS = 1_000;

const root = document.querySelector<HTMLElement>("#root");
if (root === null) throw new Error("The page has no #root.");
if (window.tooOld !== true) void start(root);

/**
 * Hydrates the page that the server rendered. Parts of the page that are still on their way are hydrated when they are there.
 * It gives the browser time between its steps, and as a transition React renders in slices, so that a touch never waits long.
 */
async function start(element: HTMLElement): Promise<void> {
  ignoreKeys();
  if (!("popover" in HTMLElement.prototype)) void openOlderPopovers();
  await nextTask();
  const page = readPage(element, document);
  recallTimeZone(page.timeZone);
  const { api: quickApi, apiAhead } = createBrowserApi(page.csrfToken);
  const api = page.delaySeconds > 0 ? await applyStreamDelay(page, quickApi) : quickApi;
  const { data, isLate } = readHydrationData();
  const { loaderData, ...state } = data;
  const { revived, missing } = reviveDeferred(loaderData);
  if (isLate) await loadMatchedScreens();
  const contextWith = (own: Api) => {
    const context = new RouterContextProvider();
    context.set(apiContext, own);
    context.set(pageContext, page);
    return context;
  };
  const router = createBrowserRouter(routes, {
    getContext: () => contextWith(api),
    hydrationData: { ...state, loaderData: revived },
  });
  /** What the page does not need to be live. */
  const finish = () => {
    followDelay(page);
    recallWager(page.viewer?.id ?? 0);
    followPageCache(page, quickApi);
    whenIdle(learnTimeZone);
    startInstall(page, api);
    const followLate = () =>
      withLate(
        () => import("./once-live.ts"),
        ({ followOnceLive }) => followOnceLive(router, contextWith(apiAhead)),
      );
    // There the font costs as much as half of the scripts.
    if (performance.now() > SLOW_LIVE_MS) whenUsed(followLate);
    else followLate();
  };
  await nextTask();
  startTransition(() => {
    hydrateRoot(
      element,
      <AppContext value={{ page, api }}>
        <MarkHydrated element={element} finish={finish}>
          <RouterProvider router={router} />
        </MarkHydrated>
      </AppContext>,
    );
  });
  whenParsed(() => {
    // The connection broke before all parts had come.
    if (missing.size > 0) void router.revalidate();
  });
}

/** The data that the page brings, and whether the code of its screen is not part of the entry. */
function readHydrationData(): { data: { loaderData: LoaderData }; isLate: boolean } {
  const script = document.querySelector<HTMLElement>("#loaded");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The page and its scripts are of one build, whose server wrote this.
  const data = JSON.parse(script?.textContent ?? "") as { loaderData: LoaderData };
  return { data, isLate: script?.dataset["late"] !== undefined };
}

/** Nothing may be received before the code of the stream delay is there. */
async function applyStreamDelay(page: Page, quickApi: Api): Promise<Api> {
  const { followStreamDelay } = await import("#client/base/delay/follow-stream-delay.ts");
  return followStreamDelay(page, quickApi);
}

async function openOlderPopovers(): Promise<void> {
  (await import("#client/base/browser/older-popovers.ts")).openOlderPopovers();
}

async function nextTask(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}

/** Calls `act` when the browser has read the whole document. */
function whenParsed(act: () => void): void {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", act, { once: true });
  else act();
}

/** A screen whose code is missing at hydration would be rendered twice. */
async function loadMatchedScreens(): Promise<void> {
  const matches = matchRoutes(routes, window.location) ?? [];
  await Promise.all(
    matches.map(async ({ route }) => {
      if (typeof route.lazy === "function") Object.assign(route, await route.lazy(), { lazy: undefined });
    }),
  );
}

type MarkHydratedProps = { element: HTMLElement; finish: () => void; children: ReactNode };

/** Marks the page as hydrated once all effects have run, and then finishes it. */
function MarkHydrated({ element, finish, children }: MarkHydratedProps) {
  useEffect(() => {
    Object.assign(element.dataset, { hydrated: "true" });
    setTimeout(finish);
  }, [element, finish]);
  return children;
}
