import { expect, test } from "bun:test";
import { allEndpoints } from "#src/api/all-endpoints.ts";
import { type Endpoint, partsOf, type Who } from "#src/http/endpoint.ts";
import { createServer } from "#src/server.ts";
import { buildToken, createProgram } from "#tests/people/access-tokens/build-token.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { signedInClient, signInDirectly, type TestClient, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { statuses } from "./access-statuses.ts";
import {
  buildWorld,
  type CallerName,
  callers,
  claimedCallers,
  claimSettings,
  ofClaimed,
  pathIn,
} from "./access-world.ts";
import { apiAccess } from "./api-access.ts";
import { ask } from "./ask.ts";
import { dockRoutes, expectedScope, namedRoutes } from "./token-access.ts";

// Browsers, also with the roles of a claim, and programs on every endpoint. That tokens which are over or too weak change nothing is in tests/api/walk.test.ts.

/** Endpoints that are no part of the API: its reference, and stored mails. */
const otherRoutes = new Set([
  "/dev/mail",
  "/dev/mail/:id",
  "/api",
  "/api/openapi.json",
  "/api/asyncapi.json",
]);
/** What is the same for everybody: health checks and files. */
const plainRoutes = [
  "/.well-known/change-password",
  "/assets/:name",
  "/favicon.ico",
  "/manifest.webmanifest",
  "/metrics",
  "/ready",
  "/robots.txt",
  "/service-worker.js",
  "/up",
  "/version",
];

/** The audiences that name a user in the path, and what they are equal to when all callers name themselves. */
const forOneself: Partial<Record<Who, Who>> = { self: "viewer", own: "viewer", "own-account": "account" };

const deps = await testDeps();
const server = createServer(deps);
const world = await buildWorld(deps);
const byHand = { deps, server, world };

/** Those whose roles are a claim's have a world of their own too, because the last of them may delete what is named. */
const claimDeps = await testDeps(claimSettings);
const byClaim = { deps: claimDeps, server: createServer(claimDeps), world: await buildWorld(claimDeps) };

/** Programs have a world of their own, because what they may change is changed. */
const programDeps = await testDeps();
const programServer = createServer(programDeps);
const programWorld = await buildWorld(programDeps);
const userId = programWorld.users.admin.id;
const programOf = async (terms: Parameters<typeof buildToken>[1]) =>
  createProgram(programServer, (await buildToken(programDeps, terms)).secret);
/** So has the dock, of the session in the paths. */
const dockDeps = await testDeps();
const dockWorld = await buildWorld(dockDeps);
const dockTerms = {
  userId: dockWorld.users.admin.id,
  scope: "dock",
  sessionId: dockWorld.sessionId,
} as const;
const dockSecret = (await buildToken(dockDeps, dockTerms)).secret;
const programs = {
  read: await programOf({ userId, scope: "read" }),
  run: await programOf({ userId, scope: "run" }),
  dock: createProgram(createServer(dockDeps), dockSecret),
};
const expired = await programOf({ userId, expired: true });

type Case = { route: string; oneself: boolean; expected: string };

function casesOf(endpoint: Endpoint): Case[] {
  const { who } = endpoint;
  const { route } = endpoint;
  const allowed = apiAccess[who][route] ?? 0;
  if (typeof allowed === "string") return [{ route, oneself: false, expected: allowed }];
  const line = (audience: Who) => statuses[audience].replaceAll("x", String(allowed));
  const own = forOneself[who];
  return [
    { route, oneself: false, expected: line(who) },
    ...(own === undefined ? [] : [{ route, oneself: true, expected: line(own) }]),
  ];
}

/** The statuses that programs and a dock get, where the admin, whose tokens they have, gets this one. */
function byToken(endpoint: Endpoint, forAdmin: string): string {
  const scope = expectedScope(endpoint);
  const isOpen = scope === "public" || scope === "read";
  // A stop names another session than the dock's, which the other requests need.
  const isOfDock = dockRoutes.has(endpoint.route) && dockWorld.overrides[endpoint.route] === undefined;
  const byDock = scope === "public" || isOfDock ? forAdmin : 403;
  return `${isOpen ? forAdmin : 403} ${isOpen || scope === "run" ? forAdmin : 403} ${byDock}`;
}

/** Each request has a new sign-in, because some requests end it. */
function signIn(name: CallerName, { deps, server, world }: typeof byHand): Promise<TestClient> {
  return name === "out" ? signedOutClient(server) : signedInClient(deps, server, world.users[name]);
}

/** The status that a caller gets for an empty body. */
async function statusFor(name: CallerName, { route, oneself }: Case, its: typeof byHand): Promise<number> {
  const client = await signIn(name, its);
  const path = pathIn(its.world, route, oneself && name !== "out" ? its.world.users[name] : null);
  const [method = "GET"] = route.split(" ");
  return (await ask(client, method, path)).status;
}

/** Of all callers, one after the other, because the last request may delete what the others name. */
async function statusesFor(
  line: Case,
  names: readonly CallerName[] = callers,
  its = byHand,
): Promise<string> {
  const actual: number[] = [];
  for (const name of names) actual.push(await statusFor(name, line, its));
  return actual.join(" ");
}

const sorted = (routes: Iterable<string>) => [...routes].toSorted((one, other) => one.localeCompare(other));

test("every endpoint has its audience in the list, and every line has its endpoint", () => {
  const listed = Object.entries(apiAccess).flatMap(([who, routes]) =>
    Object.keys(routes).map((route) => `${route}: ${who}`),
  );
  expect(sorted(listed)).toEqual(
    sorted(allEndpoints.map(({ endpoint }) => `${endpoint.route}: ${endpoint.who}`)),
  );
  const routes = new Set<string>(allEndpoints.map(({ endpoint }) => endpoint.route));
  expect(namedRoutes.filter((route) => !routes.has(route))).toEqual([]);
});

test("every route of the server is an endpoint, and every endpoint has its route", () => {
  const served = server.decorator.endpoints.history.map(([, , endpoint]) => endpoint);
  const routes = served.filter((endpoint) => !otherRoutes.has(partsOf(endpoint).path));
  expect(sorted(allEndpoints.map(({ endpoint }) => endpoint.route))).toEqual(
    sorted(routes.map(({ route }) => route)),
  );
  expect(sorted(server.routes.map(({ path }) => path))).toEqual(plainRoutes);
});

for (const { endpoint } of allEndpoints) {
  const [line, forItself] = casesOf(endpoint);
  if (line === undefined) continue;
  const { method } = partsOf(endpoint);
  // Files and pictures for everyone are served without a look at who asks.
  const tokens =
    endpoint.skipsSignIn === true ? null : byToken(endpoint, line.expected.split(" ").at(-1) ?? "");
  test(`${line.route}: ${line.expected}, by token ${tokens ?? "as without"}`, async () => {
    expect(await statusesFor(line)).toBe(line.expected);
    expect(await statusesFor(line, claimedCallers, byClaim)).toBe(ofClaimed(line.expected));
    if (tokens === null) return;
    const actual: number[] = [];
    for (const [name, program] of Object.entries(programs)) {
      const its = name === "dock" ? dockWorld : programWorld;
      const { status, headers } = await ask(program, method, pathIn(its, line.route, null));
      actual.push(status);
      expect(headers.getSetCookie()).toEqual([]);
    }
    expect(actual.join(" ")).toBe(tokens);
  });
  if (forItself === undefined) continue;
  test(`${forItself.route} for oneself: ${forItself.expected}`, async () => {
    expect(await statusesFor(forItself)).toBe(forItself.expected);
  });
}

test("a token that is over, unknown, broken, or of who is no admin, is no sign-in", async () => {
  const none = {
    expired,
    revoked: await programOf({ userId, revoked: true }),
    player: await programOf({ userId: (await buildPlayer(programDeps)).id }),
    unknown: createProgram(server, `ci_${"x".repeat(43)}`),
    broken: createProgram(server, "ci_no_token"),
  };
  for (const [what, program] of Object.entries(none))
    for (const path of [
      "/api/v1/events",
      "/api/v1/users/me",
      "/api/v1/blueprints",
      "/api/v1/sessions/the-show",
    ]) {
      const { status, headers } = await program.get(path);
      expect([what, path, status]).toEqual([what, path, 401]);
      expect(headers.get("www-authenticate")).toContain('Bearer realm="Called It"');
      expect(headers.getSetCookie()).toEqual([]);
    }
});

test("a bearer token of somebody else changes nothing: who sends it is signed in by the cookie, or not at all", async () => {
  const cookie = (await signInDirectly(deps, world.users.admin))["cookie"] ?? "";
  const askWith = async (path: string, headers: Record<string, string>) => {
    const request = new Request(`http://localhost:3000${path}`, { headers: { accept: "*/*", ...headers } });
    const { status, headers: answered } = await server.handle(request);
    return [path, status, answered.get("location")];
  };
  const pages = ["/sessions", "/sessions/the-show", "/sessions/the-show/admin", "/ready", "/metrics", "/"];
  const reads = ["/api/v1/events", "/api/v1/sessions/the-show/events", "/api/v1/users"];
  for (const path of [...pages, ...reads])
    for (const signedIn of [{ cookie }, {}]) {
      const asked = await askWith(path, {
        ...signedIn,
        authorization: "Bearer eyJhbGciOiJSUzI1NiJ9.e30.c2ln",
      });
      expect(asked).toEqual(await askWith(path, signedIn));
    }
});

test("pages and the dashboard are closed to tokens, the reference is open, and an unknown address is not found", async () => {
  for (const path of ["/sessions", "/sessions/the-show/admin", "/admin/queues", "/dev/mail", "/"]) {
    expect([path, (await programs.run.get(path)).status]).toEqual([path, 403]);
    // A dock may open a socket, and this is none.
    expect([path, (await programs.dock.get(path)).status]).toEqual([path, path === "/cable" ? 404 : 403]);
    expect([path, (await expired.get(path)).status]).toEqual([path, 401]);
  }
  for (const { get } of [programs.run, expired]) expect((await get("/api/openapi.json")).status).toBe(200);
  expect((await programs.run.get("/api/v1/nothing")).status).toBe(404);
  expect((await programs.run.send("DELETE", "/api/v1/sessions")).status).toBe(405);
});
