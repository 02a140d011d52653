import { expect, test } from "bun:test";
import { allEndpoints } from "#src/api/all-endpoints.ts";
import type { Endpoint } from "#src/http/endpoint.ts";
import { createServer } from "#src/server.ts";
import { buildToken, createProgram } from "#tests/people/access-tokens/build-token.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { statuses } from "./access-statuses.ts";
import { buildWorld, pathIn } from "./access-world.ts";
import { apiAccess } from "./api-access.ts";
import { ask } from "./ask.ts";
import { expectedScope, namedRoutes } from "./token-access.ts";

const deps = await testDeps();
const server = createServer(deps);
const world = await buildWorld(deps);
const userId = world.users.admin.id;
const player = await buildPlayer(deps);

const programOf = async (terms: Parameters<typeof buildToken>[1]) =>
  createProgram(server, (await buildToken(deps, terms)).secret);
const programs = {
  expired: await programOf({ userId, expired: true }),
  revoked: await programOf({ userId, revoked: true }),
  player: await programOf({ userId: player.id }),
  unknown: createProgram(server, `ci_${"x".repeat(43)}`),
  broken: createProgram(server, "ci_no_token"),
  read: await programOf({ userId, scope: "read" }),
  run: await programOf({ userId, scope: "run" }),
};
type Program = keyof typeof programs;

/** The status that the admin gets with a cookie, for an empty body. */
function adminStatus({ method, path, who }: Endpoint): number {
  const allowed = apiAccess[who][`${method} ${path}`] ?? 0;
  const line = typeof allowed === "string" ? allowed : statuses[who];
  const status = line.split(" ").at(-1) ?? "";
  return status === "x" ? Number(allowed) : Number(status);
}

function expectedOf(endpoint: Endpoint, program: Program): number {
  const scope = expectedScope(endpoint);
  const isValid = program === "read" || program === "run";
  if (scope === "public" && isValid) return adminStatus(endpoint);
  if (!isValid) return 401;
  return scope === "read" || scope === program ? adminStatus(endpoint) : 403;
}

test("the lists of what tokens open name endpoints that exist", () => {
  const routes = new Set(allEndpoints.map(({ endpoint: { method, path } }) => `${method} ${path}`));
  expect(namedRoutes.filter((route) => !routes.has(route))).toEqual([]);
});

// Files and pictures for everyone are served without a look at who asks.
const asking = allEndpoints.filter(({ endpoint }) => endpoint.skipsSignIn !== true);

for (const { endpoint } of asking) {
  const { method, path } = endpoint;
  const order: Program[] = ["expired", "revoked", "player", "unknown", "broken", "read", "run"];
  const expected = order.map((program) => [program, expectedOf(endpoint, program)]);
  test(`${method} ${path} by token: ${expected.map((pair) => pair.join(" ")).join(", ")}`, async () => {
    const actual: [Program, number][] = [];
    // One after the other: the last one may change what the others name.
    for (const program of order) {
      const target = pathIn(world, `${method} ${path}`, null);
      const { status, headers } = await ask(programs[program], method, target);
      actual.push([program, status]);
      if (status === 401) expect(headers.get("www-authenticate")).toContain('Bearer realm="Called It"');
      expect(headers.getSetCookie()).toEqual([]);
    }
    expect(actual.map(([program, status]) => [program, status])).toEqual(expected);
  });
}

test("a bearer token of somebody else changes nothing: who sends it is signed in by the cookie, or not at all", async () => {
  const cookie = (await signInDirectly(deps, world.users.admin))["cookie"] ?? "";
  const ask = async (path: string, headers: Record<string, string>) => {
    const request = new Request(`http://localhost:3000${path}`, { headers: { accept: "*/*", ...headers } });
    const { status, headers: answered } = await server.handle(request);
    return [path, status, answered.get("location")];
  };
  const pages = ["/sessions", "/sessions/the-show", "/sessions/the-show/admin", "/ready", "/metrics", "/"];
  const reads = ["/api/v1/events", "/api/v1/sessions/the-show/events", "/api/v1/users"];
  for (const path of [...pages, ...reads])
    for (const signedIn of [{ cookie }, {}]) {
      const asked = await ask(path, { ...signedIn, authorization: "Bearer eyJhbGciOiJSUzI1NiJ9.e30.c2ln" });
      expect(asked).toEqual(await ask(path, signedIn));
    }
});

test("pages, sockets and the dashboard are closed to tokens", async () => {
  for (const path of ["/sessions", "/sessions/the-show/admin", "/admin/queues", "/cable", "/dev/mail", "/"]) {
    expect([path, (await programs.run.get(path)).status]).toEqual([path, 403]);
    expect([path, (await programs.expired.get(path)).status]).toEqual([path, 401]);
  }
});

test("what is public is public with a token too, valid or not", async () => {
  for (const { get } of [programs.run, programs.expired])
    expect((await get("/api/openapi.json")).status).toBe(200);
});

test("an unknown address below /api is not found, with a token too", async () => {
  expect((await programs.run.get("/api/v1/nothing")).status).toBe(404);
  expect((await programs.run.send("DELETE", "/api/v1/sessions")).status).toBe(405);
});
