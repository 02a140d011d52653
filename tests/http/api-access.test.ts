import { expect, test } from "bun:test";
import { routeOf, allEndpoints } from "#src/api/all-endpoints.ts";
import { createServer } from "#src/server.ts";
import { testDeps } from "#tests/support/deps.ts";
import { visitAs, type Visitor, visitSignedOut } from "#tests/support/visitor.ts";
import { type AccessLine, accessLines } from "./access-lines.ts";
import { buildWorld, pathIn, type VisitorName, visitors } from "./access-world.ts";
import { apiAccess } from "./api-access.ts";

/** For everybody alike, or told of elsewhere: signs of life, files, sockets, the API's own reference, and what no route answers. */
const leftOut = new Set([
  "/up",
  "/ready",
  "/assets/:name",
  "/favicon.ico",
  "/cable",
  "/api/*",
  "/api",
  "/api/openapi.json",
]);

const deps = await testDeps();
const server = createServer(deps);
const world = await buildWorld(deps);

/** "GET /api/v1/calls" */
function listRoutes(): string[] {
  return server.routes
    .filter(({ path }) => !leftOut.has(path))
    .map(({ method, path }) => `${method} ${path}`);
}

/** A fresh sign-in each time: some requests end it. */
function visit(name: VisitorName): Promise<Visitor> {
  return name === "out" ? visitSignedOut(server) : visitAs(deps, server, world.users[name]);
}

/** What the visitor is answered. An empty body shows that the door was passed, 400, and changes nothing. */
async function knock(name: VisitorName, { route, aboutOneself }: AccessLine): Promise<number> {
  const visitor = await visit(name);
  const path = pathIn(world, route, aboutOneself && name !== "out" ? world.users[name] : null);
  const [method = "GET"] = route.split(" ");
  const { status } = method === "GET" ? await visitor.get(path) : await visitor.send(method, path, {});
  return status;
}

const sorted = (routes: Iterable<string>) => [...routes].toSorted((one, other) => one.localeCompare(other));

test("every route of the API has its line in the matrix, and every line its route", () => {
  expect(sorted(Object.keys(apiAccess))).toEqual(sorted(listRoutes()));
});

test("every route is in the table of endpoints, and every endpoint has its route", () => {
  const routes = listRoutes().filter((route) => !route.includes(" /dev/"));
  expect(sorted(allEndpoints.map(({ endpoint }) => routeOf(endpoint)))).toEqual(sorted(routes));
});

for (const line of accessLines()) {
  test(`${line.route}${line.aboutOneself ? " about oneself" : ""}: ${line.expected}`, async () => {
    const statuses: number[] = [];
    // One after the other: the last may end what the others ask for.
    for (const name of visitors) statuses.push(await knock(name, line));
    expect(statuses.join(" ")).toBe(line.expected);
  });
}
