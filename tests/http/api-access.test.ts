import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer, type Server } from "#src/server.ts";
import { buildDeps, type TestDeps } from "#tests/support/deps.ts";
import { visitAs, type Visitor, visitSignedOut } from "#tests/support/visitor.ts";
import { apiAccess } from "./api-access.ts";
import { buildWorld, pathIn, type VisitorName, visitors, type World } from "./access-world.ts";

/** For everybody alike, or told of elsewhere: signs of life, files, sockets, and what no route answers. */
const leftOut = new Set(["/up", "/ready", "/assets/:name", "/favicon.ico", "/cable", "/api/*"]);

let deps: TestDeps;
let server: Server;
let world: World;
beforeAll(async () => {
  deps = await buildDeps();
  server = createServer(deps);
  world = await buildWorld(deps);
});
afterAll(() => deps.close());

/** "GET /api/v1/calls"; the lines that end in "own" are asked besides, by everybody about themselves. */
function listRoutes(): string[] {
  const routes = server.routes
    .filter(({ path }) => !leftOut.has(path))
    .map(({ method, path }) => `${method} ${path}`);
  const known = Object.keys(apiAccess).filter((key) => routes.includes(key.replace(/ own$/, "")));
  return [...new Set([...routes, ...known])];
}

/** A fresh sign-in each time: some requests end it. */
function visit(name: VisitorName): Promise<Visitor> {
  return name === "out" ? visitSignedOut(server) : visitAs(deps, server, world.users[name]);
}

/** What the visitor is answered. An empty body shows that the door was passed, 400, and changes nothing. */
async function knock(name: VisitorName, key: string): Promise<number> {
  const own = key.endsWith(" own");
  const route = key.replace(/ own$/, "");
  const visitor = await visit(name);
  const path = pathIn(world, route, own && name !== "out" ? world.users[name] : null);
  const [method = "GET"] = route.split(" ");
  const { status } = method === "GET" ? await visitor.get(path) : await visitor.send(method, path, {});
  return status;
}

test("every route of the API has its line in the table, and every line its route", () => {
  expect(Object.keys(apiAccess).toSorted((one, other) => one.localeCompare(other))).toEqual(
    listRoutes().toSorted((one, other) => one.localeCompare(other)),
  );
});

for (const [route, expected] of Object.entries(apiAccess)) {
  test(`${route}: ${expected}`, async () => {
    const statuses: number[] = [];
    // One after the other: the last may end what the others ask for.
    for (const name of visitors) statuses.push(await knock(name, route));
    expect(statuses.join(" ")).toBe(expected);
  });
}
