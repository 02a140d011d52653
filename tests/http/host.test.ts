import { expect, test } from "bun:test";
import { startCableServer } from "#tests/live/cable/cable-server.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDeps } from "#tests/support/deps.ts";

// What a client may send as its host, or leave out: the health checks of HAProxy and Nagios are HTTP/1.0 without one.

const deps = await testDeps();
const server = startCableServer(deps);
afterFile(() => server.stop());

/** Sends these bytes on a connection of their own. @returns the status of the answer. */
async function statusOf(text: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  await Bun.connect({
    hostname: "127.0.0.1",
    port: server.port,
    socket: {
      open: (socket) => void socket.write(Buffer.from(text, "latin1")),
      data: (socket, bytes) => {
        resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString())?.[1]));
        socket.end();
      },
      close: () => reject(new Error("closed without an answer")),
    },
  });
  return promise;
}

test.each(["/up", "/ready", "/ready/", "/up?from=haproxy"])(
  "%s answers 200 to HTTP/1.0 without a Host, by GET and HEAD",
  async (path) => {
    expect(await statusOf(`GET ${path} HTTP/1.0\r\n\r\n`)).toBe(200);
    expect(await statusOf(`HEAD ${path} HTTP/1.0\r\n\r\n`)).toBe(200);
  },
);

const otherTargets = [
  "/",
  "/sessions",
  "/api",
  "/api/v1/sessions",
  "/api/v1/%ff",
  "/cable",
  "/upper",
  "//up",
  "/assets/x",
];
test.each(otherTargets)("%s without a Host is refused with 400", async (target) => {
  expect(await statusOf(`GET ${target} HTTP/1.0\r\n\r\n`)).toBe(400);
});

test("a request that would change something is refused with 400 without a Host, and changes nothing", async () => {
  const before = await digestTables(deps.pool.db);
  const body = "user[terms]=1";
  const headers = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}`;
  for (const target of ["/guest", "/up", "/api/v1/calls"])
    expect(await statusOf(`POST ${target} HTTP/1.0\r\n${headers}\r\n\r\n${body}`)).toBe(400);
  expect(await digestTables(deps.pool.db)).toBe(before);
});

const oddHosts = [
  "",
  " ",
  "a b",
  "a/b",
  "[::1",
  "a:99999",
  "a:b",
  "a@b",
  "a%zz",
  "a?x",
  "a#x",
  "\xff\xfe",
  "1.2.3.4.5",
  "xn--",
  "a\\b",
];
test.each(oddHosts)("the host %j is refused with 400, and health checks are answered", async (host) => {
  const get = (target: string) => statusOf(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  expect(await get("/up")).toBe(200);
  expect(await get("/sessions")).toBe(400);
  expect(await get("/api/v1/sessions")).toBe(400);
});

test.each(["w", "web", "[::1]", "web:80", "203.0.113.7", "EXAMPLE.test"])(
  "the host %s is served",
  async (host) => {
    const get = (target: string) => statusOf(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(await get("/up")).toBe(200);
    expect(await get("/terms")).toBe(200);
    expect(await get("/api/v1/users/me")).toBe(401);
  },
);

const targets = [
  ["GET http://localhost/up HTTP/1.1", 200],
  ["GET http://[::1/up HTTP/1.1", 200],
  ["GET http:///up HTTP/1.1", 200],
  ["GET http://localhost/nothing HTTP/1.1", 404],
  ["OPTIONS * HTTP/1.1", 400],
  ["GET up HTTP/1.1", 400],
  ["CONNECT localhost:80 HTTP/1.1", 422],
] as const;
test.each(targets)("the request line %j is answered %d", async (line, status) => {
  expect(await statusOf(`${line}\r\nHost: localhost\r\n\r\n`)).toBe(status);
});
