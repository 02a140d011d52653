import { beforeEach, describe, expect, test } from "bun:test";
import { createBrowserRouter, type RouteObject, RouterContextProvider } from "react-router";
import { routes } from "#client/app/routes.tsx";
import { createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import type { Role } from "#db/lists/users.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { buildPage } from "#tests/client/events/action-states.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

const ACTION = "/sessions/derby";

const closeDom = openDom();
afterFile(() => closeDom());

/** The API's answer to the question which sessions are active. */
let active: { slug: string }[];
beforeEach(() => {
  active = [];
});

/** The ids of the product's routes. All of them have data already: the page is open. */
const loaded: Record<string, null> = {};

/** The product's routes with their guards, without screens. */
function guardsOf(within: readonly RouteObject[]): RouteObject[] {
  return within.map((route) => {
    const { path, middleware, children, id = path ?? "*" } = route;
    loaded[id] = null;
    const row = {
      id,
      ...(path === undefined ? {} : { path }),
      ...(middleware === undefined ? {} : { middleware }),
      loader: () => null,
    };
    return children === undefined ? row : { ...row, children: guardsOf(children) };
  });
}
const guards = guardsOf(routes);

const none = presentAvatar(null);
const someone = {
  id: 7,
  gid: "gid://called-it/User/7",
  email: "ana@example.test",
  username: "ana",
  avatar: none,
};

type Who = { roles: readonly Role[]; hostOf?: number[]; guest: boolean };
const admin: Who = { roles: ["admin"], guest: false };
const player: Who = { roles: [], guest: false };
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
    viewer: { ...someone, roles: [...roles], hostOf, guest: isGuest },
  });
  context.set(
    apiContext,
    createApi({
      inProcess: false,
      carry: overHttp({ csrfToken: "", send: async () => Response.json({ sessions: active }) }),
    }),
  );
  const router = createBrowserRouter(guards, {
    hydrationData: { loaderData: loaded },
    getContext: () => context,
  });
  await router.navigate(to);
  router.dispose();
  return globalThis.location.pathname;
}

describe("an admin who follows a link to the action of a session", () => {
  test("from the list of sessions lands on its Admin tab", async () => {
    expect(await follow(admin, "/sessions", ACTION)).toBe(`${ACTION}/admin`);
  });

  test.each([`${ACTION}/admin`, `${ACTION}/history`, `${ACTION}/leaders`, `${ACTION}/chat`])(
    "from the tab %s sees the action",
    async (tab) => {
      expect(await follow(admin, tab, ACTION)).toBe(ACTION);
    },
  );
});

test.each(["/sessions", "/profile", `${ACTION}/history`])(
  "a player who follows a link to the action from %s sees it",
  async (from) => {
    expect(await follow(player, from, ACTION)).toBe(ACTION);
  },
);

test.each(["/blueprints", "/users", "/sessions/new"])(
  "a player's navigation to %s is cancelled, an admin's is not",
  async (path) => {
    expect(await follow(player, "/profile", path)).toBe("/profile");
    expect(await follow(admin, "/profile", path)).toBe(path);
  },
);

test("the API decides who opens the pages of a session's hosts, and a host is not taken from the sessions", async () => {
  active = [{ slug: "cup" }];
  const host: Who = { ...player, hostOf: [7] };
  for (const path of [`${ACTION}/admin`, "/sessions/derby/edit"])
    expect(await follow(player, "/profile", path)).toBe(path);
  expect(await follow(host, "/profile", "/sessions")).toBe("/sessions");
  expect(await follow(host, "/profile", "/users")).toBe("/profile");
});

test.each(["/sessions", "/profile", `${ACTION}/leaders`, "/leaderboard"])(
  "a guest who follows a link to %s is led to /guest",
  async (path) => {
    expect(await follow(guest, ACTION, path)).toBe("/guest");
  },
);

test.each(["/sessions", "/leaderboard", "/users", `${ACTION}/chat`, `${ACTION}/live_chat`])(
  "a session that has become active since the page was loaded takes players who open %s to its action",
  async (path) => {
    active = [{ slug: "cup" }];
    expect(await follow(player, "/profile", path)).toBe("/sessions/cup");
    expect(await follow(admin, "/profile", path)).toBe(path);
  },
);
