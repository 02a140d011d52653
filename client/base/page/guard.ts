import { type MiddlewareFunction, redirect, replace } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import { apiContext, pageContext } from "./context.ts";
import type { Page } from "./page.ts";

/** Who may open a route. Without flags: every signed-in player with an account. */
export type Flags = {
  /** No sign-in needed. */
  open?: true;
  /** Open to signed-out viewers; the API decides whether there is something to watch. */
  watch?: true;
  /** Guests may open it too. */
  guest?: true;
  /** Only admins. */
  admin?: true;
  /** Only admins and operators. */
  staff?: true;
  /**
   * While a session is active, players who host none are taken to its action screen instead. "withJavaScript": not on a cold load, so that a
   * browser without JavaScript stays.
   */
  redirectActive?: true | "withJavaScript";
  /**
   * Admins who come from outside or from the list of sessions are redirected to this path below the route's own. On a cold
   * load the previous page is known from `Referer` only, which tells a click on a tab without JavaScript from a typed address.
   */
  adminsLandOn?: "/admin";
};

type GuardInput = { flags: Flags; request: Request; page: Page; api: Api };

/**
 * Middleware of a route: lets the viewer in or redirects. It runs on the server and in the browser. It is for convenience
 * only: the API checks every request itself.
 */
export function guard(flags: Flags): MiddlewareFunction {
  return async ({ request, context }, next) => {
    const page = context.get(pageContext);
    const redirection = await findRedirect({ flags, request, page, api: context.get(apiContext) });
    if (redirection !== null) throw redirection;
    return next();
  };
}

/** Where the sign-in page leads afterwards: a path of this site, never another site. */
export function safeReturnPath(path: string | null): string {
  const isSafe = path !== null && /^\/(?![/\\])[^\s\\]*$/.test(path) && !path.startsWith("/users/sign_");
  return isSafe ? path : "/sessions";
}

/** True for the address of a session's big screen: it is for everybody, and never leads to the sign-in page. */
export function isBigScreen(address: string): boolean {
  return stageKeyIn(address) !== null;
}

/**
 * The key of the stage link in the address of a big screen, with which it asks the API; "" if it was opened without one. Null for
 * every other page.
 */
export function stageKeyIn(address: string): string | null {
  const { pathname, searchParams } = new URL(address, "http://localhost");
  return /^\/sessions\/[^/]+\/stage\/?$/.test(pathname) ? (searchParams.get("key") ?? "") : null;
}

/**
 * The path of the sign-in page, with the way back to the requested page.
 * @param ended the viewer was signed in when the page was opened: the sign-in page says what has happened.
 */
export function signInPath(request: Request, { ended = false } = {}): string {
  const { pathname, search } = new URL(request.url);
  const path = request.method === "GET" ? pathname + search : pathname;
  const leadsBack = path !== "/" && safeReturnPath(path) !== "/sessions";
  const query = new URLSearchParams({
    ...(leadsBack ? { return_to: path } : {}),
    ...(ended ? { now: "signed_out" } : {}),
  });
  return query.size === 0 ? "/users/sign_in" : `/users/sign_in?${query.toString()}`;
}

async function findRedirect({ flags, request, page, api }: GuardInput): Promise<Response | null> {
  if (flags.open === true) return null;
  const { viewer } = page;
  if (viewer === null) return flags.watch === true ? null : redirect(signInPath(request));
  if (viewer.guest && flags.guest !== true) return redirect("/guest");
  if (viewer.roles.includes("admin")) return redirectAdmin({ flags, request, api });
  const active = isLed(flags, viewer, api) ? await redirectToActiveSession(page, api) : null;
  return active ?? (lacksRole(viewer, flags) ? denyNavigation(request, api) : null);
}

function isLed({ redirectActive }: Flags, { hostOf }: ViewerView, { inProcess }: Api): boolean {
  if (hostOf[0] !== undefined) return false;
  return redirectActive === true || (redirectActive === "withJavaScript" && !inProcess);
}

/** For viewers who are not admins: true if the route is for admins, or for admins and operators and the viewer is no operator. */
function lacksRole({ roles }: ViewerView, { admin, staff }: Flags): boolean {
  return admin === true || (staff === true && !roles.includes("operator"));
}

/** Redirects admins to the Admin tab where they come from nowhere or from the list of sessions, by a cold load or in the app. */
function redirectAdmin({
  flags,
  request,
  api,
}: Pick<GuardInput, "flags" | "request" | "api">): Response | null {
  const { pathname } = new URL(request.url);
  if (flags.adminsLandOn === undefined || request.method !== "GET") return null;
  const from = api.inProcess ? refererPath(request) : globalThis.location.pathname;
  return fromNowhere.includes(from) ? redirect(pathname + flags.adminsLandOn) : null;
}

const fromNowhere: readonly string[] = ["", "/", "/users/sign_in", "/sessions"];

/** The path of the page of the app before a cold load; empty if there was none. Without JavaScript every page is a cold load. */
function refererPath(request: Request): string {
  const referer = URL.parse(request.headers.get("referer") ?? "");
  return referer?.host === new URL(request.url).host ? referer.pathname : "";
}

/** In the browser the viewer stays on the current page; a cold load leads to the sessions. */
function denyNavigation(request: Request, api: Api): Response {
  if (api.inProcess) return redirect("/sessions");
  const { pathname, search } = globalThis.location;
  const isCurrent = pathname === new URL(request.url).pathname;
  return isCurrent ? redirect("/sessions") : replace(pathname + search);
}

/** To the Action screen of the session that is active now; null while none is. */
export async function redirectToActiveSession(page: Page, api: Api): Promise<Response | null> {
  const slug = api.inProcess ? page.activeSession?.slug : await findActiveSlug(api);
  return slug === undefined ? null : redirect(`/sessions/${slug}`);
}

/** Sessions start and stop while a page is open, so the browser asks the API. */
async function findActiveSlug(api: Api): Promise<string | undefined> {
  const { sessions } = await api.get("/api/v1/sessions", { query: { active: true } });
  return sessions[0]?.slug;
}
