import { type ReactNode, StrictMode, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { createBrowserRouter, matchRoutes, RouterContextProvider } from "react-router";
import { RouterProvider } from "react-router/dom";
import { createBrowserApi } from "./browser-api.ts";
import { apiContext, AppContext, pageContext } from "./context.ts";
import { readPage } from "./page.ts";
import { routes } from "./routes.tsx";
import { saveTimeZone } from "./ui/time-format.ts";

declare global {
  interface Window {
    /** The loaders' data from the server; react-router reads it from here. */
    __staticRouterHydrationData?: unknown;
  }
}

const root = document.querySelector<HTMLElement>("#root");
if (root === null) throw new Error("The page has no #root.");
await start(root);

/** Hydrates the page that the server rendered. */
async function start(element: HTMLElement): Promise<void> {
  const page = readPage(element, document);
  const api = createBrowserApi(page.csrfToken);
  window.__staticRouterHydrationData = JSON.parse(document.querySelector("#loaded")?.textContent ?? "null");
  await loadMatchedScreens();
  const router = createBrowserRouter(routes, {
    getContext: () => {
      const context = new RouterContextProvider();
      context.set(apiContext, api);
      context.set(pageContext, page);
      return context;
    },
  });
  hydrateRoot(
    element,
    <StrictMode>
      <AppContext value={{ page, api }}>
        <MarkHydrated element={element}>
          <RouterProvider router={router} />
        </MarkHydrated>
      </AppContext>
    </StrictMode>,
  );
  saveTimeZone(page.timeZone);
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

/** Marks the page as hydrated once all effects have run. */
function MarkHydrated({ element, children }: { element: HTMLElement; children: ReactNode }) {
  useEffect(() => {
    Object.assign(element.dataset, { hydrated: "true" });
  }, [element]);
  return children;
}
