import { beforeEach, expect, test } from "bun:test";
import {
  createBrowserRouter,
  type LoaderFunction,
  type LoaderFunctionArgs,
  type RouteObject,
  RouterContextProvider,
} from "react-router";
import { routes } from "#client/app/routes.tsx";
import { createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import type { Role } from "#db/lists/users.ts";
import { buildPage, buildViewer } from "#tests/client/events/action-states.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

const ACTION = "/sessions/derby";

afterFile(openDom());

/** The API's answer to the question which sessions are active. */
let active: { slug: string }[];
beforeEach(() => {
  active = [];
});

/** The ids of the product's routes. All of them have data already: the page is open. */
const loaded: Record<string, null> = {};

/** Of these pages the loader asks the API who may open them; here it refuses everybody but admins. */
const pagesOfHosts: readonly string[] = ["/sessions/:slug/admin", "/sessions/:slug/edit"];

/** The loader of such a page, without what it loads for an admin. */
async function askedOf(lazy: RouteObject["lazy"]): Promise<LoaderFunction> {
  const { loader } = typeof lazy === "function" ? await lazy() : {};
  if (typeof loader !== "function") throw new Error("The page has no loader.");
  const isAdmin = ({ context }: LoaderFunctionArgs) =>
    context.get(pageContext).viewer?.roles.includes("admin") === true;
  return (args) => (isAdmin(args) ? null : loader(args));
}

/** The product's routes with their guards, without screens. */
async function guardsOf(within: readonly RouteObject[]): Promise<RouteObject[]> {
  const guarded: RouteObject[] = [];
  for (const { path, middleware, children, lazy, id = path ?? "*" } of within) {
    loaded[id] = null;
    const row = {
      id,
      ...(path === undefined ? {} : { path }),
      ...(middleware === undefined ? {} : { middleware }),
      loader: pagesOfHosts.includes(id) ? await askedOf(lazy) : () => null,
    };
    guarded.push(children === undefined ? row : { ...row, children: await guardsOf(children) });
  }
  return guarded;
}
const guards = await guardsOf(routes);

/** Two sessions, by slug and by id; everything else is refused, as it is for who hosts no session. */
function answer(path: string): Response {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  if (searchParams.has("active")) return Response.json({ sessions: active });
  const id = { "/api/v1/sessions/derby": 7, "/api/v1/sessions/7": 7, "/api/v1/sessions/cup": 9 }[pathname];
  return id === undefined
    ? Response.json({ error: "forbidden" }, { status: 403 })
    : Response.json({ session: { id } });
}

type Who = { roles: readonly Role[]; hostOf?: number[]; guest: boolean };
const admin: Who = { roles: ["admin"], guest: false };
const player: Who = { roles: [], guest: false };
/** Of the session `derby`. */
const host: Who = { ...player, hostOf: [7] };
const guest: Who = { roles: [], guest: true };

/** Follows a link from an open page to another one. Returns the path where the viewer then is. */
async function follow(
  { roles, hostOf = [], guest: isGuest }: Who,
  from: string,
  to: string,
): Promise<string> {
  globalThis.history.replaceState(null, "", from);
  const context = new RouterContextProvider();
  context.set(pageContext, {
    ...buildPage(),
    viewer: buildViewer({ roles: [...roles], hostOf, guest: isGuest }),
  });
  context.set(
    apiContext,
    createApi({ inProcess: false, carry: overHttp({ csrfToken: "", send: async (path) => answer(path) }) }),
  );
  const router = createBrowserRouter(guards, {
    hydrationData: { loaderData: loaded },
    getContext: () => context,
  });
  await router.navigate(to);
  router.dispose();
  return globalThis.location.pathname;
}

test.each(["/sessions", "/sessions/"])(
  "an admin who follows a link to the action of a session from the list of sessions at %s lands on its Admin tab",
  async (from) => {
    expect(await follow(admin, from, ACTION)).toBe(`${ACTION}/admin`);
    expect(await follow(admin, from, `${ACTION}/`)).toBe(`${ACTION}/admin`);
  },
);

test.each(["/blueprints/7/edit", "/users", "/sessions/new", "/admin/webhooks", "/profile/tokens"])(
  "a player's navigation to %s is cancelled, an admin's is not",
  async (path) => {
    expect(await follow(player, "/profile", path)).toBe("/profile");
    expect(await follow(host, "/profile", path)).toBe("/profile");
    expect(await follow(admin, "/profile", path)).toBe(path);
  },
);

test.each([`${ACTION}/admin`, "/sessions/derby/edit", "/sessions/7/edit"])(
  "a navigation to %s, which the API refuses to who does not host the session, is cancelled, also while a session is active",
  async (path) => {
    for (const sessions of [[], [{ slug: "cup" }]]) {
      active = sessions;
      expect(await follow(player, "/profile", path)).toBe("/profile");
      expect(await follow(guest, ACTION, path)).toBe("/guest");
    }
  },
);

test.each(["/sessions", "/leaderboard/7", "/users/7", `${ACTION}/live_chat`, `${ACTION}/join`])(
  "a session that has become active since the page was loaded takes everybody but admins who opens %s to its action",
  async (path) => {
    active = [{ slug: "cup" }];
    expect(await follow(player, "/profile", path)).toBe("/sessions/cup");
    expect(await follow({ ...player, roles: ["operator"] }, "/profile", path)).toBe("/sessions/cup");
    expect(await follow(admin, "/profile", path)).toBe(path);
  },
);
