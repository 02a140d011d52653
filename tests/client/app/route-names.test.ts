import { expect, test } from "bun:test";
import { matchRoutes } from "react-router";
import { routes } from "#client/app/routes.tsx";
import type { RouteName } from "#client/base/page/handle.ts";
import { hereOf } from "#client/ui/use-here.ts";

/** A path of each named route, beside the route's own notation. */
const named: Record<RouteName, string> = {
  guestInterstitial: "/guest",
  sessions: "/sessions",
  session: "/sessions/derby/leaders",
  action: "/sessions/derby",
  sessionRegistration: "/sessions/derby/join",
  leaders: "/sessions/derby/leaders",
  chat: "/sessions/derby/chat",
  history: "/sessions/derby/history",
  admin: "/sessions/derby/admin",
  edit: "/sessions/7/edit",
  create: "/sessions/new",
  profile: "/profile",
  blueprints: "/blueprints",
  leaderboard: "/leaderboard",
  users: "/users",
  user: "/users/7",
};

const idsAt = (path: string) => (matchRoutes(routes, path) ?? []).map(({ route }) => route.id);
const routeAt = (path: string) =>
  hereOf((matchRoutes(routes, path) ?? []).map(({ route }) => ({ id: route.id ?? "", handle: route.handle })))
    .route;

test.each(Object.entries(named))("the route %s is found by its name at %s", (name, path) => {
  expect(idsAt(path)).toContain(name);
  // The layout of a session has no page of its own.
  if (name !== "session") expect(routeAt(path)).toBe(name);
});

test("no other route has a name; its id is its path", () => {
  const others = ["/users/sign_in", "/sessions/derby/history/1", "/profile/wallet", "/blueprints/new"];
  expect(others.map(routeAt)).toEqual([
    "/users/sign_in",
    "/sessions/:slug/history/:callId",
    "/profile/wallet",
    "/blueprints/new",
  ]);
  expect(routeAt("/nothing/here")).toBeUndefined();
});
