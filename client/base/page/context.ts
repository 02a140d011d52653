import { createContext as createReactContext, useContext } from "react";
import { createContext } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import type { Closed } from "#src/base/switches/contract.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import type { Page } from "./page.ts";

/** For loaders, actions and guards: `context.get(apiContext)`. */
export const apiContext = createContext<Api>();
export const pageContext = createContext<Page>();

export const AppContext = createReactContext<{ page: Page; api: Api } | null>(null);

export function usePage(): Page {
  return useApp().page;
}

export function useApi(): Api {
  return useApp().api;
}

/** The signed-in user; null for signed-out viewers. */
export function useViewer(): ViewerView | null {
  return useApp().page.viewer;
}

/** Why something is closed for the whole site; undefined: it is open. */
export function useClosed(what: keyof Closed): string | undefined {
  return useApp().page.closed?.[what];
}

function useApp() {
  const app = useContext(AppContext);
  if (app === null) throw new Error("A screen was rendered outside the app.");
  return app;
}
