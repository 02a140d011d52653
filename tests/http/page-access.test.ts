import { expect, test } from "bun:test";
import type { RouteObject } from "react-router";
import { routes } from "#client/app/routes.tsx";
import { isHandle } from "#client/base/page/handle.ts";
import { CSRF_HEADER, CSRF_PARAM } from "#src/http/contract.ts";
import { OIDC_SIGN_OUT_PATH } from "#src/people/oidc/contract.ts";
import { activateSession, deactivateSession } from "#src/show/sessions/activate-session.ts";
import { findSession } from "#src/show/sessions/find-session.ts";
import { notVisited, type Visit, visits } from "#tests/browser/support/visits.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
import {
  buildWorld,
  type CallerName,
  callers,
  claimedCallers,
  claimSettings,
  ofClaimed,
  pathIn,
} from "./access-world.ts";
import { guestPages, pageAccess } from "./page-access.ts";

const ORIGIN = "http://localhost:3000";

const { deps, db, server, client } = await testWorld();
const byHand = { deps, server, world: await buildWorld(deps) };
/** With the roles of a claim, and where pages of another site may have some in a frame. */
const claimed = await testWorld({ ...claimSettings, FRAME_ORIGINS: "https://blog.example" });
const byClaim = { ...claimed, world: await buildWorld(claimed.deps) };

type Row = { path: string; takesForms: boolean; redirectsActive: boolean };

/** All routes that have a path, at any depth. A screen's chunk may contain the action. */
async function listRows(within: readonly RouteObject[] = routes): Promise<Row[]> {
  const found: Row[] = [];
  for (const { path, lazy, action, handle, children = [] } of within) {
    if (path !== undefined && path !== "*") {
      const chunk = typeof lazy === "function" ? await lazy() : {};
      const takesForms = action !== undefined || "action" in chunk;
      const flags = isHandle(handle) ? handle.flags : {};
      found.push({ path, takesForms, redirectsActive: flags.redirectActive === true });
    }
    found.push(...(await listRows(children)));
  }
  return found;
}

const rows = await listRows();

const framedPages = ["GET /sessions/:slug/stage", "GET /sessions/:slug/card"];

/** A page that is shown may be in a frame of these origins if it is one of the two; an answer that leads on is in none. */
function expectFramers(key: string, { status, headers }: Response, origins: readonly string[]): void {
  const policy = /frame-ancestors ([^;]+)/.exec(headers.get("content-security-policy") ?? "");
  const isFramed = origins.length > 0 && status === 200 && framedPages.includes(key);
  expect([key, policy?.[1]]).toEqual([key, isFramed ? origins.join(" ") : "'none'"]);
}

type Visited = typeof byHand;

/** What a browser without JavaScript gets: the status, or the page that it is redirected to. */
async function visitPage(name: CallerName, key: string, its: Visited = byHand): Promise<string> {
  const credentials =
    name === "out" ? await signedOut() : await signInDirectly(its.deps, its.world.users[name]);
  const [method = "GET"] = key.split(" ");
  const url = ORIGIN + pathIn(its.world, key, null);
  const headers = { accept: "text/html", origin: ORIGIN, cookie: credentials["cookie"] ?? "" };
  // A form with nothing but its anti-forgery token.
  const body = new URLSearchParams({ [CSRF_PARAM]: credentials[CSRF_HEADER] ?? "" });
  const request = new Request(url, { method, headers, ...(method === "POST" ? { body } : {}) });
  const response = await its.server.handle(request);
  const location = response.headers.get("location");
  expectFramers(key, response, its.deps.env.frameOrigins);
  return location === null ? String(response.status) : wordFor(new URL(location, ORIGIN).pathname);
}

async function signedOut(): Promise<Record<string, string>> {
  return (await client()).credentials();
}

/** The pages that lead a player to the show that is on. */
const LEADING = [
  "/leaderboard",
  "/leaderboard/:userId",
  "/sessions",
  "/sessions/:slug/chat",
  "/sessions/:slug/join",
  "/users",
  "/users/:id",
];

const words: Record<string, string> = {
  "/users/sign_in": "sign_in",
  // By way of the provider.
  [OIDC_SIGN_OUT_PATH]: "sign_in",
  "/guest": "guest",
  "/sessions": "sessions",
  "/sessions/the-show": "action",
  "/sessions/the-show/admin": "control",
};
const wordFor = (path: string) => words[path] ?? path;

test("every page in client/app/routes.tsx has its line in the list, and every line its page", () => {
  const keys = rows.flatMap(({ path, takesForms }) =>
    takesForms ? [`GET ${path}`, `POST ${path}`] : [`GET ${path}`],
  );
  const byName = (one: string, other: string) => one.localeCompare(other);
  expect(Object.keys(pageAccess).toSorted(byName)).toEqual(keys.toSorted(byName));
});

test("the journey every-page visits every page, except those that have a reason in its list", () => {
  const visited = Object.values(visits).flatMap((list) =>
    list.map((visit: Visit) => (typeof visit === "string" ? visit : visit.route)),
  );
  const paths = rows.map(({ path }) => path);
  const listed = new Set([...visited, ...Object.keys(notVisited)]);
  // The page for what is not there has no path.
  expect([...listed].filter((path) => path !== "*").toSorted()).toEqual(paths.toSorted());
  expect(visited.filter((path) => path in notVisited)).toEqual([]);
});

for (const [key, expected] of Object.entries(pageAccess)) {
  test(`${key} answers its callers in turn: ${expected}`, async () => {
    const actual: string[] = [];
    for (const name of callers) actual.push(await visitPage(name, key));
    expect(actual.join(" ")).toBe(expected);
    const withClaims: string[] = [];
    for (const name of claimedCallers) withClaims.push(await visitPage(name, key, byClaim));
    expect(withClaims.join(" ")).toBe(ofClaimed(expected));
  });
}

test("only the pages of the list are for guests, and every other one leads a guest to the page that stops guests", () => {
  const open = Object.entries(pageAccess).filter(([, row]) => row.split(" ")[1] !== "guest");
  const paths = new Set(open.map(([key]) => key.split(" ")[1] ?? ""));
  expect([...paths].toSorted()).toEqual(Object.keys(guestPages).toSorted());
});

test("while a session is active, these pages lead players to it and not admins, and no other page does", async () => {
  const session = await findSession(db, "the-show");
  const order = { sessionId: session?.id ?? 0, actor: null };
  await activateSession(deps, order);
  afterTest(() => deactivateSession(deps, order));
  const leading = rows.filter(({ redirectsActive }) => redirectsActive).map(({ path }) => path);
  expect(leading.toSorted()).toEqual(LEADING);
  for (const { path } of rows) {
    const key = `GET ${path}`;
    const [, , forPlayer, , , forAdmin] = (pageAccess[key] ?? "").split(" ");
    const leads = leading.includes(path);
    expect([path, await visitPage("player", key)]).toEqual([path, leads ? "action" : String(forPlayer)]);
    if (leads) expect([path, await visitPage("admin", key)]).toEqual([path, String(forAdmin)]);
  }
});
