import { expect, test } from "bun:test";
import * as v from "valibot";
import { freePort, freePorts } from "#tests/engines/free-port.ts";
import { startCaddy } from "#tests/proofs/engines/caddy.ts";
import { makeCertificate, type Nginx, startNginx } from "#tests/proofs/engines/nginx.ts";
import { afterFile, makeFileFolder } from "#tests/support/after-file.ts";
import { waitFor } from "#tests/support/wait-for.ts";

// The configurations of nginx and Caddy in deploy, in Debian's programs, before servers that say what they got.
const OF_PRODUCT = "max-age=1";
const certificate = makeCertificate(makeFileFolder());
/** The rest of the page that is streamed. */
const rest = Promise.withResolvers<string>();

const streamed = () =>
  new ReadableStream<Uint8Array>({
    start: async (controller) => {
      controller.enqueue(Buffer.from("frame"));
      controller.enqueue(Buffer.from(await rest.promise));
      controller.close();
    },
  });

/** A web process. What it was asked, beside /ready. */
function startUpstream() {
  const asked = { count: 0, isReady: true };
  const answer = (pathname: string, { headers }: Request) =>
    pathname === "/stream"
      ? new Response(streamed())
      : Response.json(Object.fromEntries(headers), { headers: { "strict-transport-security": OF_PRODUCT } });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, own) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/ready") return new Response("", { status: asked.isReady ? 200 : 503 });
      asked.count += 1;
      return pathname === "/cable" && own.upgrade(request) ? undefined : answer(pathname, request);
    },
    websocket: { message: (socket, message) => void socket.send(`heard ${String(message)}`) },
  });
  afterFile(() => void server.stop(true));
  return { asked, port: server.port ?? 0 };
}

/** A proxy before two web processes, and one whose process is away. */
async function startBoth(start: (upstreams: number[]) => Promise<Omit<Nginx, "kill">>) {
  const processes = [startUpstream(), startUpstream()];
  const whole = await start(processes.map(({ port }) => port));
  afterFile(() => whole.stop());
  const cut = await start([freePort()]);
  afterFile(() => cut.stop());
  return { whole, cut, processes };
}
const nginx = await startBoth((upstreams) => startNginx({ port: freePort(), upstreams, certificate }));
const plainPorts = freePorts(2);
const caddy = await startBoth((upstreams) =>
  startCaddy({ port: freePort(), plainPort: plainPorts[upstreams.length - 1] ?? 0, upstreams, certificate }),
);
const proxies = [
  ["nginx", nginx],
  ["Caddy", caddy],
] as const;

const SECRET = "hush-hush-hush";
const link = `/users/password/edit?reset_password_token=${SECRET}`;
const sent = {
  referer: `https://localhost${link}`,
  "x-request-id": "of-the-client-1",
  traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
  "x-forwarded-for": "6.6.6.6",
};
const tls = { rejectUnauthorized: false };
const open = (url: string) => fetch(url, { headers: sent, tls });
const headersGot = v.record(v.string(), v.string());

test.each(proxies)(
  "neither the log nor the errors of %s have a query or a referrer",
  async (_, { whole, cut }) => {
    for (const { url } of [whole, cut]) await open(`${url}${link}`);
    for (const { readLogs } of [whole, cut]) {
      await waitFor("the line", () => /"(path|uri)":"\/users\/password\/edit"/.test(readLogs()));
      expect(readLogs()).not.toContain(SECRET);
      expect(readLogs()).not.toContain("reset_password_token");
    }
  },
);

test.each(proxies)(
  "the product gets an id, an address and no span from %s, whatever the client has sent",
  async (name, { whole }) => {
    const got = v.parse(headersGot, await (await open(`${whole.url}/`)).json());
    expect(got["x-request-id"]).toMatch(/^[\da-f-]{32,36}$/);
    expect([got["x-forwarded-for"], got["x-forwarded-proto"], got["traceparent"]]).toEqual([
      "127.0.0.1",
      "https",
      undefined,
    ]);
    if (name === "nginx")
      await waitFor("the line", () => whole.readLogs().includes(`"requestId":"${got["x-request-id"]}"`));
  },
);

test.each(proxies)(
  "what %s answers by itself has the headers of all answers, and those of the product stay",
  async (_, { whole, cut }) => {
    const passed = await open(`${whole.url}/`);
    expect(passed.headers.get("strict-transport-security")).toBe(OF_PRODUCT);
    const own = await open(`${cut.url}/`);
    expect([own.status, own.headers.get("retry-after"), own.headers.get("refresh")]).toEqual([503, "1", "3"]);
    expectOwnHeaders(own);
  },
);

function expectOwnHeaders({ headers }: Response): void {
  expect(headers.get("strict-transport-security")).toBe("max-age=63072000; includeSubDomains");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("content-security-policy")).toBe(
    "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  );
}

test("a body that is too large is refused by nginx with these headers", async () => {
  const body = new Uint8Array(9 * 1_048_576);
  expectOwnHeaders(await fetch(`${nginx.whole.url}/`, { method: "POST", body, tls }));
});

test.each(proxies)("%s passes a page on while it is written, and a socket", async (_, { whole }) => {
  const { body } = await fetch(`${whole.url}/stream`, { tls });
  let text = "";
  for await (const bytes of body ?? []) {
    text += new TextDecoder().decode(bytes);
    if (text === "frame") rest.resolve(" and the rest");
  }
  expect(text).toBe("frame and the rest");
  // Bun's own options, which the types of browsers do not have.
  const socket: WebSocket = Reflect.construct(WebSocket, [
    `${whole.url.replace("https", "wss")}/cable`,
    { tls },
  ]);
  const heard = Promise.withResolvers<unknown>();
  socket.addEventListener("message", ({ data }) => heard.resolve(data));
  socket.addEventListener("error", () => heard.reject(new Error("no socket")));
  socket.addEventListener("open", () => socket.send("hello"));
  expect(await heard.promise).toBe("heard hello");
  socket.close();
});

test("Caddy gives no requests to a process whose /ready answers 503", async () => {
  const [leaving, other] = caddy.processes.map(({ asked }) => asked);
  if (leaving === undefined || other === undefined) throw new Error("there are two");
  leaving.isReady = false;
  await waitFor("Caddy to leave it out", async () => {
    const before = [leaving.count, other.count];
    for (let times = 0; times < 6; times += 1) await open(`${caddy.whole.url}/`);
    return leaving.count === before[0] && other.count === (before[1] ?? 0) + 6;
  });
});

test("over http Caddy redirects browsers, and refuses programs, whose tokens would go unencrypted", async () => {
  const ask = (file: string) => fetch(`http://localhost:${plainPorts[1]}${file}`, { redirect: "manual" });
  expect((await ask("/sessions")).headers.get("location")).toBe("https://localhost/sessions");
  for (const file of ["/api/v1/events/7", "/cable"])
    expect([file, (await ask(file)).status]).toEqual([file, 403]);
});
