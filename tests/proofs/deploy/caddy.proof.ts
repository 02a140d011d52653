import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { launch } from "#db/embedded/server.ts";
import { freePorts, isOpen } from "#tests/engines/free-port.ts";
import { requireProgram } from "#tests/engines/require-program.ts";
import { makeCertificate } from "#tests/proofs/engines/nginx.ts";
import { afterFile, makeFileFolder } from "#tests/support/after-file.ts";
import { waitFor } from "#tests/support/wait-for.ts";

// deploy/caddy/Caddyfile in Debian's Caddy, before servers that answer with what they got.
const folder = makeFileFolder();
const { certificate, key } = makeCertificate(folder);
const tls = { rejectUnauthorized: false };

/** Whether the process whose /ready says so is leaving, and what it was asked. */
const leaving = { isReady: true, asked: 0 };
const gate = Promise.withResolvers<void>();

function startUpstream(of: { isReady: boolean; asked: number }) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, own) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/ready") return new Response("", { status: of.isReady ? 200 : 503 });
      of.asked += 1;
      if (pathname === "/cable" && own.upgrade(request)) return undefined;
      if (pathname !== "/stream") return Response.json(Object.fromEntries(request.headers));
      return new Response(
        (async function* () {
          yield "frame";
          await gate.promise;
          yield " and the rest";
        })(),
      );
    },
    websocket: { message: (socket, message) => void socket.send(`heard ${String(message)}`) },
  });
  afterFile(() => void server.stop(true));
  return server.port ?? 0;
}

const [port = 0, plain = 0, cutPort = 0, cutPlain = 0, nobody = 0] = freePorts(5);

async function startCaddy(ports: { https: number; http: number }, upstreams: number[]) {
  const file = (name: string) => path.join(folder, `${ports.https}-${name}`);
  const log = file("called-it.log");
  const replaced = [
    [
      /^\{\n/m,
      `{\n\thttp_port ${ports.http}\n\thttps_port ${ports.https}\n\tdefault_bind 127.0.0.1\n\tadmin off\n`,
    ],
    [/http:\/\/called-it\.example \{/, "http://localhost {"],
    [/https:\/\/called-it\.example/, "https://localhost"],
    [/^called-it\.example \{/m, `localhost {\n\ttls ${certificate} ${key}`],
    [/\/var\/log\/caddy\/called-it\.log/, log],
    [/#(?=health_)/g, ""],
    [/127\.0\.0\.1:3000/, upstreams.map((each) => `127.0.0.1:${each}`).join(" ")],
  ] as const;
  const deployed = readFileSync("deploy/caddy/Caddyfile", "utf8");
  for (const [from] of replaced) expect(deployed).toMatch(from);
  writeFileSync(
    file("Caddyfile"),
    replaced.reduce((text, [from, to]) => text.replace(from, to), deployed),
  );
  const errors = file("errors.log");
  const caddy = await launch({
    name: "caddy",
    command: [requireProgram("caddy"), "run", "--config", file("Caddyfile"), "--adapter", "caddyfile"],
    cwd: folder,
    env: { PATH: "/usr/bin:/bin", HOME: folder },
    logFile: errors,
    stopSignal: "SIGTERM",
    isReady: () => isOpen(ports.https),
  });
  afterFile(() => caddy.stop());
  const readLogs = () =>
    [log, errors].map((each) => (existsSync(each) ? readFileSync(each, "utf8") : "")).join("");
  return { url: `https://localhost:${ports.https}`, readLogs };
}

const other = { isReady: true, asked: 0 };
const caddy = await startCaddy({ https: port, http: plain }, [startUpstream(leaving), startUpstream(other)]);
const cut = await startCaddy({ https: cutPort, http: cutPlain }, [nobody]);

const SECRET = "hush-hush-hush";
const link = `/users/password/edit?reset_password_token=${SECRET}`;
const sent = {
  referer: `https://localhost${link}`,
  "x-request-id": "of-the-client-1",
  traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
  "x-forwarded-for": "6.6.6.6",
};
const open = (url: string) => fetch(url, { headers: sent, tls });

test("a page passes, and the product gets an id, an address and no span from Caddy, whatever the client has sent", async () => {
  const answer = await open(`${caddy.url}/`);
  const got = v.parse(v.record(v.string(), v.string()), await answer.json());
  expect([answer.status, got["x-forwarded-for"], got["x-forwarded-proto"]]).toEqual([
    200,
    "127.0.0.1",
    "https",
  ]);
  expect(got["x-request-id"]).toMatch(/^[\da-f-]{36}$/);
  expect(got["traceparent"]).toBeUndefined();
  expect(answer.headers.get("content-security-policy")).toBeNull();
});

test("a page is streamed: its frame arrives before the rest is written", async () => {
  const { body } = await fetch(`${caddy.url}/stream`, { tls });
  let text = "";
  for await (const bytes of body ?? []) {
    text += new TextDecoder().decode(bytes);
    if (text === "frame") gate.resolve();
  }
  expect(text).toBe("frame and the rest");
});

test("a socket opens at /cable", async () => {
  const socket = new WebSocket(`${caddy.url.replace("https", "wss")}/cable`, { tls });
  const heard = Promise.withResolvers<unknown>();
  socket.addEventListener("message", ({ data }) => heard.resolve(data));
  socket.addEventListener("error", () => heard.reject(new Error("no socket")));
  socket.addEventListener("open", () => socket.send("hello"));
  expect(await heard.promise).toBe("heard hello");
  socket.close();
});

test("a process whose /ready answers 503 gets no requests", async () => {
  leaving.isReady = false;
  await waitFor("Caddy to leave it out", async () => {
    const before = leaving.asked;
    for (let times = 0; times < 6; times += 1) await open(`${caddy.url}/`);
    return leaving.asked === before;
  });
  expect(other.asked).toBeGreaterThan(0);
});

test("neither Caddy's log nor its errors have a query or a referrer", async () => {
  for (const { url } of [caddy, cut]) await open(`${url}${link}`);
  for (const { readLogs } of [caddy, cut]) {
    await waitFor("the line", () => readLogs().includes('"uri":"/users/password/edit"'));
    expect(readLogs()).not.toContain(SECRET);
    expect(readLogs()).not.toContain("reset_password_token");
  }
});

test("what Caddy answers by itself has the headers of all answers, and clients try again", async () => {
  const own = await open(`${cut.url}/`);
  expect([own.status, own.headers.get("retry-after"), own.headers.get("refresh")]).toEqual([503, "1", "3"]);
  expect(await own.json()).toMatchObject({ code: "unavailable" });
  expect(own.headers.get("strict-transport-security")).toBe("max-age=63072000; includeSubDomains");
  expect(own.headers.get("x-content-type-options")).toBe("nosniff");
  expect(own.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
});

test("over http Caddy redirects browsers, and refuses programs, whose tokens would go unencrypted", async () => {
  const ask = (file: string) => fetch(`http://localhost:${plain}${file}`, { redirect: "manual" });
  expect((await ask("/sessions")).headers.get("location")).toBe("https://localhost/sessions");
  for (const file of ["/api/v1/events/7", "/cable"])
    expect([file, (await ask(file)).status]).toEqual([file, 403]);
});
