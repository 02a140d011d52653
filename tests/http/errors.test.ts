import { expect, test } from "bun:test";
import { Writable } from "node:stream";
import { pino } from "pino";
import * as v from "valibot";
import { calls } from "#db/schema/calls.ts";
import { Refusal } from "#src/base/refusal.ts";
import { answerError, refusalFor } from "#src/http/answer-error.ts";
import { createRequestContext } from "#src/http/request-context.ts";
import { errorBody } from "#src/http/schemas.ts";
import type { ServedEndpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { createServer } from "#src/server.ts";
import { buildSignedIn } from "#tests/people/users/person.ts";
import type { Server } from "#tests/support/server.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build, read, server } = await testWorld();
const { person: player } = await buildSignedIn(deps, server);
const event = await build.event("open");
const spotId = (await read.spots(event.id)).true.id;

async function expectError(response: Response, status: number, body: object) {
  const error = v.parse(errorBody, await response.json());
  expect(error).toMatchObject(body);
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(error.requestId).toBe(String(response.headers.get("x-request-id")));
}

test("an unknown path of the API is not found, with any method and Accept header", async () => {
  const body = { error: "not found", code: "not_found" };
  await expectError(await player.get("/api/v1/nowhere"), 404, body);
  await expectError(await player.get("/api/v2"), 404, body);
  await expectError(await player.get("/api/v1/nowhere", { accept: "text/html" }), 404, body);
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    await expectError(await player.send(method, "/api/v1/nowhere"), 404, body);
  }
});

test("a known path with another method is refused, with its methods in Allow", async () => {
  const response = await player.send("PUT", "/api/v1/calls");
  expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
  await expectError(response, 405, { code: "method_not_allowed" });
  const one = await player.send("PATCH", "/api/v1/calls/1");
  expect(one.headers.get("allow")).toBe("GET, HEAD, DELETE");
  expect((await player.send("OPTIONS", "/api/v1/calls")).status).toBe(405);
});

test("a body that is not JSON, or lacks its root key, is refused and nothing is placed", async () => {
  const before = await db.$count(calls);
  const post = (body: string, headers = {}) => player.send("POST", "/api/v1/calls", { body, headers });
  const malformed = { error: "malformed request", code: "malformed" };
  const bodies = [
    "{",
    "",
    "null",
    "[]",
    "1",
    '"call"',
    "{}",
    '{"call":1}',
    '{"call":null}',
    "\u0000",
    "{'call':{}}",
  ];
  for (const body of bodies) await expectError(await post(body), 400, malformed);
  await expectError(await player.send("POST", "/api/v1/calls"), 400, malformed);

  const whole = JSON.stringify({ call: { spot_id: spotId, wager: 1 } });
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "",
    "application/jsonp",
  ]) {
    await expectError(await post(whole, { "content-type": type }), 415, { code: "unsupported_media_type" });
  }
  expect(await db.$count(calls)).toBe(before);
});

test("deep nesting, keys in two spellings and keys that are special in JavaScript are refused", async () => {
  const before = await db.$count(calls);
  const deep = `{"call":{"wager":${"[".repeat(5_000)}${"]".repeat(5_000)}}}`;
  const cases = [
    deep,
    `{"call":{"spot_id":${spotId},"spotId":${spotId}}}`,
    `{"call":{"spot_id":${spotId},"__proto__":{"wager":1}}}`,
    `{"call":{"spot_id":${spotId},"constructor":{"prototype":{}}}}`,
  ];
  for (const body of cases)
    await expectError(await player.send("POST", "/api/v1/calls", { body }), 400, { code: "malformed" });
  expect(await db.$count(calls)).toBe(before);
  expect(Object.hasOwn(Object.prototype, "wager")).toBe(false);
});

test("keys in snake_case and in camelCase are both accepted", async () => {
  for (const body of [{ call: { spot_id: spotId } }, { call: { spotId } }]) {
    expect((await player.send("POST", "/api/v1/calls", { body })).status).toBe(201);
  }
});

/** Adds an endpoint to a server. */
function answerAt(target: Server, path: string, handle: ServedEndpoint["handle"]): void {
  const endpoint = {
    route: `GET /${path.slice(1)}`,
    summary: "",
    who: "anyone",
    query: { status: v.optional(v.string()) },
    handle,
  } as const;
  target.decorator.endpoints.add("GET", path, endpoint);
}

test("the answer to a bug has no details; the log has them all under the same request id", async () => {
  const lines: string[] = [];
  const log = pino(
    {},
    new Writable({ write: (line: Buffer, _, done) => (lines.push(String(line)), done()) }),
  );
  const broken = createServer({ ...deps, log });
  answerAt(broken, "/api/v1/broken", () => {
    throw new Error("the secret plan in /etc/passwd");
  });
  const response = await broken.handle(new Request("http://localhost:3000/api/v1/broken"));
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(text).not.toMatch(/secret|passwd|Error|\.ts|at /);
  const requestId = String(response.headers.get("x-request-id"));
  expect(JSON.parse(text)).toEqual({
    error: "Something went wrong on our side. Try again in a moment.",
    code: "internal",
    requestId,
  });
  expect(lines.find((line) => line.includes("the secret plan"))).toContain(requestId);
});

test("429 and 503 always have Retry-After, even if the refusal does not set it", async () => {
  const refusing = createServer(deps);
  answerAt(refusing, "/api/v1/later", (_deps, { query }) => {
    throw new Refusal(Number(query["status"]), "later", "Not now.");
  });
  const ask = (status: number) =>
    refusing.handle(new Request(`http://localhost:3000/api/v1/later?status=${status}`));
  for (const [status, waitS] of [
    [429, "2"],
    [503, "2"],
    [409, null],
  ] as const) {
    const response = await ask(status);
    expect([response.status, response.headers.get("retry-after")]).toEqual([status, waitS]);
  }
});

test("a page that is refused for a moment is loaded again by the browser; a form and a missing page are not", () => {
  const refreshOf = (status: number, init: RequestInit = {}) => {
    const request = new Request("http://localhost:3000/sessions/derby/stage", init);
    const context = createRequestContext(request, "");
    return answerError(new Refusal(status, "later", "Not now."), context, deps.log).headers.get("refresh");
  };
  expect([refreshOf(503), refreshOf(429), refreshOf(404)]).toEqual(["2", "2", null]);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  expect(refreshOf(503, { method: "POST", headers, body: "a=1" })).toBeNull();
  expect(refreshOf(503, { headers: { accept: "application/json" } })).toBeNull();
});

test("a page that does not exist is answered with HTML, without JavaScript", async () => {
  const request = new Request("http://localhost:3000/no/such/page", { method: "POST", body: new FormData() });
  const response = await server.handle(request);
  expect(response.headers.get("content-type")).toContain("text/html");
  const page = await response.text();
  expect(page).toContain("<main>");
  expect(page).not.toContain("<script");
});

test("what meets a migration is temporary, and every other error of a statement is a bug", async () => {
  const { log } = deps;
  const statusOf = async (code: string, text: string) => {
    const raise = `DO $$ BEGIN RAISE EXCEPTION '${text}' USING ERRCODE = '${code}'; END $$`;
    const error: unknown = await deps.pool.sql.unsafe(raise).catch((thrown: unknown) => thrown);
    return refusalFor(error, { requestId: "1", log }).status;
  };
  expect(await statusOf("0A000", "cached plan must not change result type")).toBe(503);
  expect(await statusOf("XX000", "cache lookup failed for function 16384")).toBe(503);
  expect(await statusOf("0A000", "this feature is not supported")).toBe(500);
  expect(await statusOf("XX000", "something else is wrong")).toBe(500);
});
