import { type MiddlewareFunction, redirect, replace } from "react-router";
import type { ViewerView } from "#src/sign-ins/schemas.ts";
import type { Api } from "./api.ts";
import { apiContext, pageContext } from "./context.ts";
import type { Page } from "./page.ts";

/** Who may open a route. Without flags: every signed-in player with an account. */
export type Flags = {
  /** No sign-in needed. */
  open?: true;
  /** Without a sign-in it is let to the API to say whether there is something to watch. */
  watch?: true;
  /** Guests may open it too. */
  guest?: true;
  /** Only admins. */
  admin?: true;
  /** Only admins and operators. */
  staff?: true;
  /** While a session is active, players are taken to its action screen instead. */
  redirectActive?: true;
  /** Admins who come from nowhere or from the list of sessions land on this path below the route's own. */
  adminsLandOn?: "/admin";
};

type Visit = { flags: Flags; request: Request; page: Page; api: Api };

/**
 * Middleware of a route: lets the visitor in or answers with where to go instead. It runs on the server and in the browser;
 * whatever it says, the API checks again who asks.
 */
export function guard(flags: Flags): MiddlewareFunction {
  return async ({ request, context }, next) => {
    const page = context.get(pageContext);
    const elsewhere = await whereInstead({ flags, request, page, api: context.get(apiContext) });
    if (elsewhere !== null) throw elsewhere;
    return next();
  };
}

/** Where the sign-in page leads afterwards: a path of ours, never another site. */
export function safeReturnPath(path: string | null): string {
  const ours = path !== null && /^\/(?![/\\])[^\s\\]*$/.test(path) && !path.startsWith("/users/sign_");
  return ours ? path : "/sessions";
}

/** The sign-in page, which leads back to what was asked for. */
export function signInPath(request: Request): string {
  const { pathname, search } = new URL(request.url);
  const wanted = request.method === "GET" ? pathname + search : pathname;
  return wanted === "/" || wanted === "/sessions"
    ? "/users/sign_in"
    : `/users/sign_in?${new URLSearchParams({ return_to: wanted }).toString()}`;
}

async function whereInstead({ flags, request, page, api }: Visit): Promise<Response | null> {
  if (flags.open === true) return null;
  const { viewer } = page;
  if (viewer === null) return flags.watch === true ? null : redirect(signInPath(request));
  if (viewer.guest && flags.guest !== true) return redirect("/guest");
  if (viewer.roles.includes("admin")) return toControl({ flags, request, api });
  const active = flags.redirectActive === true ? await toActiveSession(page, api) : null;
  return active ?? (isClosedTo(viewer, flags) ? cancelled(request, api) : null);
}

/** True for whoever is no admin, where a route is for admins, or for operators too and the viewer is none. */
function isClosedTo({ roles }: ViewerView, { admin, staff }: Flags): boolean {
  return admin === true || (staff === true && !roles.includes("operator"));
}

/** To where admins run the show, unless they come from a tab of the session or from elsewhere inside. */
function toControl({ flags, request, api }: Pick<Visit, "flags" | "request" | "api">): Response | null {
  const { pathname } = new URL(request.url);
  if (flags.adminsLandOn === undefined || request.method !== "GET") return null;
  const fromOutside = api.inProcess
    ? !pathBefore(request).startsWith(pathname)
    : globalThis.location.pathname === "/sessions";
  return fromOutside ? redirect(pathname + flags.adminsLandOn) : null;
}

/** The page that led to a cold load, which without script every page is; empty where none did. */
function pathBefore(request: Request): string {
  return URL.parse(request.headers.get("referer") ?? "")?.pathname ?? "";
}

/** In the browser the visitor stays; a cold load ends on the sessions. */
function cancelled(request: Request, api: Api): Response {
  if (api.inProcess) return redirect("/sessions");
  const { pathname, search } = globalThis.location;
  const stuck = pathname === new URL(request.url).pathname;
  return stuck ? redirect("/sessions") : replace(pathname + search);
}

async function toActiveSession(page: Page, api: Api): Promise<Response | null> {
  const slug = api.inProcess ? page.activeSession?.slug : await findActiveSlug(api);
  return slug === undefined ? null : redirect(`/sessions/${slug}`);
}

/** Sessions come and go under an open page, so the browser asks anew. */
async function findActiveSlug(api: Api): Promise<string | undefined> {
  const { sessions } = await api.get("/api/v1/sessions", { query: { active: true } });
  return sessions[0]?.slug;
}
