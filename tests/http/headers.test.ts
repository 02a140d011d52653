import { expect, test } from "bun:test";
import { Writable } from "node:stream";
import { pino } from "pino";
import * as v from "valibot";
import { createServer } from "#src/server.ts";
import { givePassword, PASSWORD, Person } from "#tests/people/users/person.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, build, server } = await testWorld();

const ask = (path: string, init: RequestInit = {}) =>
  server.handle(new Request(`http://localhost:3000${path}`, init));

const answers: { path: string; status: number; init?: RequestInit }[] = [
  { path: "/up", status: 200 },
  { path: "/ready", status: 200 },
  { path: "/api/v1/users/me", status: 401 },
  { path: "/api/v1/nowhere", status: 404 },
  { path: "/users/sign_in", status: 422, init: { method: "POST" } },
];

test.each(answers)(
  "$path ($status) has the headers that every answer has",
  async ({ path, status, init }) => {
    const { status: given, headers } = await ask(path, {
      ...init,
      headers: { origin: "https://other.example" },
    });
    expect(given).toBe(status);
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get("permissions-policy")).toContain("camera=()");
    // No other origin may read it.
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(headers.has("x-powered-by")).toBe(false);
    expect(headers.has("strict-transport-security")).toBe(false);
  },
);

test("a page may load only its own files and run only scripts with the nonce of this answer", async () => {
  const first = await ask("/nowhere");
  const policy = String(first.headers.get("content-security-policy"));
  for (const part of [
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "connect-src 'self' ws://localhost:3000",
  ]) {
    expect(policy).toContain(part);
  }
  const nonce = /script-src 'self' 'nonce-([\w-]{22})'/.exec(policy)?.[1];
  expect(await first.text()).toContain(`nonce="${nonce}"`);
  const second = await ask("/nowhere");
  expect(second.headers.get("content-security-policy")).not.toContain(String(nonce));
});

test("every answer has a valid anti-forgery token, except files and health checks", async () => {
  const person = new Person(server);
  const refused = await person.get("/api/v1/nowhere");
  expect(refused.headers.get("x-csrf-token")).toHaveLength(86);
  expect((await person.send("POST", "/api/v1/nowhere")).status).toBe(404);
  const up = await ask("/up");
  expect(up.headers.has("x-csrf-token")).toBe(false);
  expect(up.headers.getSetCookie()).toEqual([]);
});

test("a browser that has a client cookie does not get another one", async () => {
  const person = new Person(server);
  const first = await person.get("/api/v1/nowhere");
  expect(first.headers.getSetCookie()).toHaveLength(1);
  const second = await person.get("/api/v1/nowhere");
  expect(second.headers.getSetCookie()).toEqual([]);
});

test("HEAD is answered like GET, without the body", async () => {
  const response = await ask("/up", { method: "HEAD" });
  expect(response.status).toBe(200);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(await response.text()).toBe("");
});

const logLine = v.object({
  requestId: v.string(),
  method: v.string(),
  path: v.string(),
  status: v.number(),
  userId: v.nullable(v.number()),
});

test("each request is logged in one line, with its id and without secrets", async () => {
  const lines: string[] = [];
  const log = pino(
    {},
    new Writable({ write: (line: Buffer, _, done) => (lines.push(String(line)), done()) }),
  );
  const logged = new Person(createServer({ ...deps, log }));
  const user = await build.player();
  await givePassword(deps, user.id);
  await logged.signIn(user.email);
  const response = await logged.get("/api/v1/users/me?reset_password_token=hush");
  const last = v.parse(logLine, JSON.parse(String(lines.at(-1))));
  expect(last).toEqual({
    requestId: String(response.headers.get("x-request-id")),
    method: "GET",
    path: "/api/v1/users/me",
    status: 200,
    userId: user.id,
  });
  const all = lines.join("");
  for (const secret of [PASSWORD, "hush", logged.token, ...logged.cookies.values()])
    expect(all).not.toContain(secret);
});
