import { expect, test } from "bun:test";
import { allEndpoints } from "#src/api/all-endpoints.ts";
import type { Endpoint, Who } from "#src/http/endpoint.ts";
import { createServer } from "#src/server.ts";
import { signedInClient, type TestClient, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { statuses } from "./access-statuses.ts";
import { buildWorld, type CallerName, callers, pathIn } from "./access-world.ts";
import { apiAccess } from "./api-access.ts";
import { ask } from "./ask.ts";

/** Endpoints that are no part of the API: its reference, and stored mails. */
const otherRoutes = new Set(["/dev/mail", "/dev/mail/:id", "/api", "/api/openapi.json"]);
/** What is the same for everybody: health checks and files. */
const plainRoutes = [
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

/** "GET /api/v1/calls/:id", as the server names its routes. */
const routeOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** The audience by route, as the endpoints themselves say. The first test compares it with the list. */
const audienceOf = new Map(allEndpoints.map(({ endpoint }) => [routeOf(endpoint), endpoint.who]));

const deps = await testDeps();
const server = createServer(deps);
const world = await buildWorld(deps);

type Case = { route: string; oneself: boolean; expected: string };

function casesOf(who: Who, route: string, allowed: number | string): Case[] {
  if (typeof allowed === "string") return [{ route, oneself: false, expected: allowed }];
  const line = (audience: Who) => statuses[audience].replaceAll("x", String(allowed));
  const own = forOneself[who];
  return [
    { route, oneself: false, expected: line(who) },
    ...(own === undefined ? [] : [{ route, oneself: true, expected: line(own) }]),
  ];
}

const cases = [...audienceOf].flatMap(([route, who]) => casesOf(who, route, apiAccess[who][route] ?? 0));

/** Each request has a new sign-in, because some requests end it. */
function signIn(name: CallerName): Promise<TestClient> {
  return name === "out" ? signedOutClient(server) : signedInClient(deps, server, world.users[name]);
}

/** The status that a caller gets for an empty body. */
async function statusFor(name: CallerName, { route, oneself }: Case): Promise<number> {
  const client = await signIn(name);
  const path = pathIn(world, route, oneself && name !== "out" ? world.users[name] : null);
  const [method = "GET"] = route.split(" ");
  return (await ask(client, method, path)).status;
}

const sorted = (routes: Iterable<string>) => [...routes].toSorted((one, other) => one.localeCompare(other));

test("every endpoint has its audience in the list, and every line has its endpoint", () => {
  const listed = Object.entries(apiAccess).flatMap(([who, routes]) =>
    Object.keys(routes).map((route) => `${route}: ${who}`),
  );
  expect(sorted(listed)).toEqual(
    sorted(allEndpoints.map(({ endpoint }) => `${routeOf(endpoint)}: ${endpoint.who}`)),
  );
});

test("every route of the server is an endpoint, and every endpoint has its route", () => {
  const served = server.decorator.endpoints.history.map(([, , { endpoint }]) => endpoint);
  const routes = served.filter(({ path }) => !otherRoutes.has(path));
  expect(sorted(allEndpoints.map(({ endpoint }) => routeOf(endpoint)))).toEqual(sorted(routes.map(routeOf)));
  expect(sorted(server.routes.map(({ path }) => path))).toEqual(plainRoutes);
});

for (const line of cases) {
  test(`${line.route}${line.oneself ? " for oneself" : ""}: ${line.expected}`, async () => {
    const actual: number[] = [];
    // One after the other, because the last request may delete what the others name.
    for (const name of callers) actual.push(await statusFor(name, line));
    expect(actual.join(" ")).toBe(line.expected);
  });
}
