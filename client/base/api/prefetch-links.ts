import { type DataRouter, matchRoutes, type RouterContextProvider } from "react-router";
import { USED_WITHIN_MS } from "./prefetch.ts";

/** A pointer that rests on a link this long, or a focus, is about to follow it. */
const INTENT_AFTER_MS = 80;

declare global {
  interface Navigator {
    connection?: { saveData?: boolean };
  }
}

/**
 * Fetches the code and the data of the page that a link of this app leads to, as soon as the viewer touches the link or rests
 * on it: before the click. The data is read with GET requests only (see prefetch.ts). Browsers that save data do not.
 * @param contextAhead for the loaders: its API sends requests ahead.
 */
export function prefetchLinks(router: DataRouter, contextAhead: RouterContextProvider): void {
  if (navigator.connection?.saveData === true) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let started: string | null = null;
  const prefetch = (url: URL | null) => {
    clearTimeout(timer);
    if (url === null || url.href === started) return;
    started = url.href;
    // A pointer comes first, then its touch: both together fetch once.
    setTimeout(() => {
      started = null;
    }, USED_WITHIN_MS);
    void loadAhead(router, url, contextAhead);
  };
  const prefetchSoon = ({ target }: Event) => {
    clearTimeout(timer);
    const url = pageBehind(target);
    if (url !== null) timer = setTimeout(prefetch, INTENT_AFTER_MS, url);
  };
  document.addEventListener("pointerdown", ({ target }) => prefetch(pageBehind(target)));
  document.addEventListener("pointerover", prefetchSoon);
  document.addEventListener("focusin", prefetchSoon);
}

/** The address of another page of this app to which the element leads as a link; otherwise null. */
function pageBehind(target: EventTarget | null): URL | null {
  const link = target instanceof Element ? target.closest("a") : null;
  if (link === null || link.target !== "" || link.hasAttribute("download")) return null;
  const { origin, pathname, search } = window.location;
  const url = URL.parse(link.href);
  const isHere = url?.pathname === pathname && url.search === search;
  return url?.origin === origin && !isHere ? url : null;
}

/** Loads the routes that are not on this page already: the router keeps the data of those. */
async function loadAhead(
  { routes, state }: DataRouter,
  url: URL,
  context: RouterContextProvider,
): Promise<void> {
  const shown = new Set(state.matches.map(({ route, pathname }) => route.id + pathname));
  const coming = (matchRoutes(routes, url) ?? []).filter(
    ({ route, pathname }) => !shown.has(route.id + pathname),
  );
  await Promise.allSettled(
    coming.map(async ({ route, params }) => {
      const { lazy } = route;
      const { loader } = typeof lazy === "function" ? await lazy() : route;
      if (typeof loader !== "function") return;
      await loader({ request: new Request(url), url, params, pattern: route.path ?? "", context });
    }),
  );
}
