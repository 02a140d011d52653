import { describe, expect, test } from "bun:test";
import { createBrotliDecompress, createGunzip, createZstdDecompress } from "node:zlib";
import pino from "pino";
import { createServer } from "#src/server.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { holdTable } from "#tests/support/hold-table.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const decompressors = { zstd: createZstdDecompress, gzip: createGunzip, br: createBrotliDecompress };
type Encoding = keyof typeof decompressors;

type PieceOptions = { encoding?: "identity" | Encoding; signal?: AbortSignal | null };

/** Requests a page. Its body is read as it comes from the wire. */
async function requestPieces(
  url: URL,
  headers: Record<string, string>,
  { encoding = "identity", signal = null }: PieceOptions = {},
) {
  const response = await fetch(url, {
    headers: { ...headers, accept: "text/html", "accept-encoding": encoding },
    decompress: false,
    redirect: "manual",
    signal,
  });
  expect(response.headers.get("content-encoding") ?? "identity").toBe(encoding);
  const pieces = textOf(response, encoding);
  /** Reads until this text has come, or to the end. */
  const until = async (text: string | null) => {
    let read = "";
    while (text === null || !read.includes(text)) {
      const { done, value } = await pieces.next();
      if (done === true) break;
      read += value;
    }
    return read;
  };
  return { response, until, rest: () => until(null) };
}

async function* textOf({ body }: Response, encoding: "identity" | Encoding): AsyncGenerator<string, void> {
  if (body === null) return;
  const decoder = new TextDecoder();
  for await (const bytes of encoding === "identity" ? body : decompress(body, encoding)) {
    yield decoder.decode(bytes, { stream: true });
  }
}

/** The unpacked bytes, each as soon as it can be unpacked. */
function decompress(body: ReadableStream<Uint8Array>, encoding: Encoding): ReadableStream<Uint8Array> {
  const unpacking = decompressors[encoding]();
  return new ReadableStream({
    start: async (unpacked) => {
      unpacking.on("data", (bytes: Uint8Array) => unpacked.enqueue(bytes));
      unpacking.on("end", () => unpacked.close());
      for await (const bytes of body) unpacking.write(bytes);
      unpacking.end();
    },
  });
}

const { deps, build, signIn } = await testWorld({}, { poolSize: 10 });
/** What the server has logged at level 40 and above. */
const logged: { level: number; msg: string; requestId?: string }[] = [];
const log = pino({ level: "warn" }, { write: (line) => void logged.push(JSON.parse(line)) });
const server = createServer({ ...deps, log }).listen({ hostname: "127.0.0.1", port: 0 });
afterFile(async () => void (await server.stop(true)));
const ana = await build.player({ balanceCents: 12_340 });
const live = await build.runningSession({ slug: "friday-derby" });
const event = await build.event("open", { sessionId: live.id, title: "Will it rain?" });
await build.call({ userId: ana.id, eventId: event.id, wagerCents: 500 });
const admin = await signIn(await build.admin());
const player = await signIn(ana);

const request = (path: string, headers: Record<string, string>, options?: PieceOptions) =>
  requestPieces(new URL(path, server.server?.url), headers, options);

/** The pages whose data may be slow: the table that the data needs, what leaves before it, and what comes with it. */
const pages = [
  { path: "/profile/wallet", table: "journal", viewer: player, early: "$123.40", late: "Welcome" },
  {
    path: `/sessions/${live.slug}/history`,
    table: "calls",
    viewer: player,
    early: "Refunded",
    late: "Will it rain?",
  },
  {
    path: "/blueprints",
    table: "blueprints",
    viewer: admin,
    early: "New blueprint",
    late: "No blueprints yet",
  },
];

describe("the frame of a page leaves before its data is there, and the data follows", () => {
  for (const { path, table, viewer, early, late } of pages) {
    test(path, async () => {
      await using held = await holdTable(deps.env.databaseUrl, table);
      const page = await request(path, viewer);
      const first = await page.until('id="loaded"');
      expect(page.response.status).toBe(200);
      for (const text of ["</head>", 'class="topbar"', "<h1>", early, 'id="loaded"', "Loading..."])
        expect(first).toContain(text);
      expect(first).not.toContain(late);
      await held.awaited();
      await held.release();
      const rest = await page.rest();
      expect(rest).toContain(late);
      expect(rest).toEndWith("</body></html>");
      expect(rest).not.toContain("Loading...");
    });
  }
});

/** True for a page that leaves in one piece: no proxy is asked to pass pieces on at once. */
const isWhole = ({ headers }: Response) => !headers.has("x-accel-buffering");

test("a page whose deferred data comes within milliseconds leaves in one piece too", async () => {
  for (const [path, viewer, late] of [
    ["/profile/wallet", player, "Welcome"],
    [`/sessions/${live.slug}/history`, player, "Will it rain?"],
    ["/blueprints", admin, "No blueprints yet"],
  ] as const) {
    // On a busy machine the data may be later: then the page is streamed, and asked for again.
    const html = await waitFor(`${path} in one piece`, async () => {
      const { response, rest } = await request(path, viewer);
      const text = await rest();
      return isWhole(response) ? text : null;
    });
    expect(html).toContain(late);
    for (const streamed of ["Loading...", "<noscript><style>", "lateParts"])
      expect(html).not.toContain(streamed);
  }
});

test("what decides about a page comes before its first byte: an unknown receipt is 404, and an unknown session too", async () => {
  for (const path of [`/sessions/${live.slug}/history/987654`, "/sessions/nothing-here/history"]) {
    const { response, rest } = await request(path, player);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await rest()).toContain("Nothing was called here");
  }
});

test("a part that fails after the first byte shows the page's own error, and how to try again; the document is complete", async () => {
  await using held = await holdTable(deps.env.databaseUrl, "journal");
  const page = await request("/profile/wallet", player);
  expect(await page.until('id="loaded"')).toContain("Loading...");
  for (const pid of await held.awaited()) await deps.pool.sql`SELECT pg_terminate_backend(${pid})`;
  const rest = await page.rest();
  expect(rest).toContain("Back in a moment");
  expect(rest).toMatch(/<a class="btn primary" [^>]*href="\/profile\/wallet"[^>]*>Try again</);
  expect(rest).toEndWith("</body></html>");
});

test("a bug in a late part is logged with the page's request id, and the page tells nothing of it", async () => {
  logged.length = 0;
  const redis = new Proxy(deps.redis, {
    get: () => {
      throw new Error("secret reason");
    },
  });
  const broken = createServer({ ...deps, log, redis });
  const response = await broken.handle(
    new Request("http://localhost:3000/sessions", { headers: { ...admin, accept: "text/html" } }),
  );
  const html = await response.text();
  expect([response.status, response.headers.get("content-length")]).toEqual([200, null]);
  expect(html).toContain("Something went wrong");
  expect(html).not.toContain("secret");
  const requestId = String(response.headers.get("x-request-id"));
  expect(new Set(logged.map((line) => `${line.level} ${line.requestId}`))).toEqual(
    new Set([`50 ${requestId}`]),
  );
});

test("the data of a late part is text, whatever it contains, and its scripts carry the page's nonce", async () => {
  const hostile = `</script><img src=x onerror='alert(1)'>`;
  const asked = await build.event("open", { sessionId: live.id, title: hostile });
  await build.call({ userId: ana.id, eventId: asked.id, wagerCents: 500 });
  await using held = await holdTable(deps.env.databaseUrl, "calls");
  const page = await request(`/sessions/${live.slug}/history`, player);
  const first = await page.until('id="loaded"');
  await held.awaited();
  await held.release();
  const html = first + (await page.rest());
  expect(html).toContain("&lt;/script&gt;&lt;img");
  expect(html).not.toContain("<img src=x");
  const policy = page.response.headers.get("content-security-policy") ?? "";
  const nonce = /'nonce-([\w-]+)'/.exec(policy)?.[1];
  const scripts = html.match(/<script[^>]*>/g) ?? [];
  expect(scripts.length).toBeGreaterThan(4);
  expect(scripts.filter((script) => !script.includes(`nonce="${nonce}"`))).toEqual([]);
  const { response: again } = await request("/profile", player);
  expect(again.headers.get("content-security-policy")).not.toContain(String(nonce));
  const styles = [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, style = ""]) => style);
  expect(styles).toHaveLength(4);
  for (const style of styles)
    expect(policy).toContain(`'sha256-${new Bun.CryptoHasher("sha256").update(style).digest("base64")}'`);
});

describe("a client that leaves ends its page, and that is no error", () => {
  for (const encoding of ["identity", "zstd", "gzip", "br"] as const) {
    test(`it leaves after the first byte, with ${encoding}`, async () => {
      logged.length = 0;
      await using held = await holdTable(deps.env.databaseUrl, "journal");
      const leaving = new AbortController();
      const page = await request("/profile/wallet", player, { encoding, signal: leaving.signal });
      expect(await page.until('id="loaded"')).toContain("Loading...");
      await held.awaited();
      leaving.abort();
      await waitFor("the request to end", () => server.server?.pendingRequests === 0);
      await held.release();
      expect(logged).toEqual([]);
    });
  }

  test("it leaves before the first byte", async () => {
    await using held = await holdTable(deps.env.databaseUrl, "notifications");
    const leaving = new AbortController();
    const response = request("/profile/wallet", player, { signal: leaving.signal });
    await held.awaited();
    leaving.abort();
    expect(await response.catch((error: Error) => error.name)).toBe("AbortError");
    await held.release();
    await waitFor("the request to end", () => server.server?.pendingRequests === 0);
    expect(logged).toEqual([]);
  });
});
