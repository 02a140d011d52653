import { type MiddlewareFunction, redirect, redirectDocument, replace } from "react-router";
import { type Api, ApiError } from "#client/base/api/api.ts";
import { safeReturnPath } from "#src/people/sign-ins/contract.ts";
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
  admin?: true;
  /** Only admins and operators. */
  staff?: true;
  /**
   * While a session is active, everybody but admins is taken to its action screen instead; hosts are not, from the pages of a session of
   * theirs. "withJavaScript": not on a cold load, so that a browser without JavaScript stays.
   */
  redirectActive?: true | "withJavaScript";
  /**
   * Admins who come from outside or from the list of sessions are redirected to this path below the route's own. On a cold
   * load the previous page is known from `Referer` only, which tells a click on a tab without JavaScript from a typed address.
   */
  adminsLandOn?: "/admin";
  /** Pages of FRAME_ORIGINS may have it in a frame: nothing on it moves money or runs a show. */
  framed?: true;
};

type GuardInput = {
  flags: Flags;
  request: Request;
  /** The slug or the id of the session in the path; undefined on a page of none. */
  slug: string | undefined;
  page: Page;
  api: Api;
};

/**
 * Middleware of a route: lets the viewer in or redirects. It runs on the server and in the browser. It is for convenience
 * only: the API checks every request itself.
 */
export function guard(flags: Flags): MiddlewareFunction {
  return async ({ request, params, context }, next) => {
    const [page, api] = [context.get(pageContext), context.get(apiContext)];
    // The server's answer refuses the frame.
    if (!api.inProcess && flags.framed !== true && globalThis.self !== globalThis.top)
      throw redirectDocument(request.url);
    const redirection = await findRedirect({ flags, request, slug: params["slug"], page, api });
    if (redirection !== null) throw redirection;
    return next();
  };
}

/** True for the address of a session's big screen or card: it is for everybody, and never leads to the sign-in page. */
export function isBigScreen(address: string): boolean {
  return stageKeyIn(address) !== null;
}

/**
 * The key of the stage link in the address of a big screen, with which it asks the API; "" if it was opened without one. Null for
 * every other page.
 */
export function stageKeyIn(address: string): string | null {
  const { pathname, searchParams } = new URL(address, "http://localhost");
  return /^\/sessions\/[^/]+\/(stage|card)\/?$/.test(pathname) ? (searchParams.get("key") ?? "") : null;
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

async function findRedirect({ flags, request, slug, page, api }: GuardInput): Promise<Response | null> {
  if (flags.open === true) return null;
  const { viewer } = page;
  if (viewer === null) return flags.watch === true ? null : redirect(signInPath(request));
  if (viewer.guest && flags.guest !== true) return redirect("/guest");
  if (viewer.roles.includes("admin")) return redirectAdmin({ flags, request, api });
  const active = isLed(flags, request, api) ? await redirectToActiveSession(page, api) : null;
  if (active !== null && !(await isHostOf(viewer, slug, api))) return active;
  return lacksRole(viewer, flags) ? denyNavigation(request, api) : null;
}

/** A form that was sent is taken, so that nothing typed is lost; its answer leads on. */
function isLed({ redirectActive }: Flags, { method }: Request, { inProcess }: Api): boolean {
  if (method !== "GET") return false;
  return redirectActive === true || (redirectActive === "withJavaScript" && !inProcess);
}

async function isHostOf({ hostOf }: ViewerView, slug: string | undefined, api: Api): Promise<boolean> {
  if (slug === undefined || hostOf.length === 0) return false;
  try {
    const { session } = await api.get(`/api/v1/sessions/${encodeURIComponent(slug)}`);
    return hostOf.includes(session.id);
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

function lacksRole({ roles }: ViewerView, { admin, staff }: Flags): boolean {
  return admin === true || (staff === true && !roles.includes("operator"));
}

/** Redirects admins to the Admin tab where they come from nowhere or from the list of sessions, by a cold load or in the app. */
function redirectAdmin({
  flags,
  request,
  api,
}: Pick<GuardInput, "flags" | "request" | "api">): Response | null {
  if (flags.adminsLandOn === undefined || request.method !== "GET") return null;
  const from = api.inProcess ? refererPath(request) : globalThis.location.pathname;
  if (!fromNowhere.includes(withoutLastSlash(from))) return null;
  return redirect(withoutLastSlash(new URL(request.url).pathname) + flags.adminsLandOn);
}

const fromNowhere: readonly string[] = ["", "/users/sign_in", "/sessions"];

/** A path is the same page with a slash at its end. */
function withoutLastSlash(path: string): string {
  return path.replace(/\/$/, "");
}

/** The path of the page of the app before a cold load; empty if there was none. Without JavaScript every page is a cold load. */
function refererPath(request: Request): string {
  const referer = URL.parse(request.headers.get("referer") ?? "");
  return referer?.host === new URL(request.url).host ? referer.pathname : "";
}

/** In the browser the viewer stays on the current page; a cold load leads to the sessions. */
export function denyNavigation(request: Request, api: Api): Response {
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
