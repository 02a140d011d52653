import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { brotliDecompressSync } from "node:zlib";
import { buildClient, ENTRY } from "#client/build/build.ts";
import { createServer } from "#src/server.ts";
import { testDeps } from "#tests/support/deps.ts";

/**
 * The maximum size of all code of the Action page, compressed. React and the router are 88 KB of it, functions that browsers of 2023 lack
 * 1 KB; a release of React may have 0.5 KB more.
 */
const ACTION_SCRIPT_BYTES_MAX = 136_000;

const deps = await testDeps();
const server = createServer(deps);
const { manifest } = await buildClient();

function ask(name: string, headers: Record<string, string> = {}): Promise<Response> {
  return server.handle(new Request(`http://localhost:3000/assets/${name}`, { headers }));
}

test("a file is cacheable forever, and compressed if the client accepts it", async () => {
  const response = await ask(manifest.entry, { "accept-encoding": "gzip, br" });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-encoding")).toBe("br");
  expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(response.headers.get("vary")).toBe("accept-encoding");
  const plain = await (await ask(manifest.entry)).text();
  expect(brotliDecompressSync(await response.arrayBuffer()).toString()).toBe(plain);
});

test("a file in the browser's cache is not sent again, whatever form of it the browser has", async () => {
  const etag = (await ask(manifest.styles, { "accept-encoding": "br" })).headers.get("etag") ?? "";
  expect(etag).toStartWith('W/"');
  for (const known of [etag, etag.replace("W/", ""), `"x", ${etag}`, "*"]) {
    const response = await ask(manifest.styles, { "if-none-match": known, "accept-encoding": "gzip" });
    expect([known, response.status, await response.text()]).toEqual([known, 304, ""]);
    expect(response.headers.get("etag")).toBe(etag);
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(response.headers.get("vary")).toBe("accept-encoding");
    expect(response.headers.has("content-encoding")).toBe(false);
  }
  expect((await ask(manifest.styles, { "if-none-match": '"x"' })).status).toBe(200);
});

test("HEAD has the headers of GET and no body, also for the worker and the icon", async () => {
  const listening = createServer(deps).listen({ hostname: "127.0.0.1", port: 0 });
  for (const path of [`/assets/${manifest.entry}`, "/service-worker.js", "/favicon.ico"]) {
    const [got, head] = await Promise.all(
      ["GET", "HEAD"].map((method) =>
        fetch(new URL(path, listening.server?.url), { method, headers: { "accept-encoding": "br" } }),
      ),
    );
    const shown = (response: Response | undefined) =>
      ["etag", "content-type", "content-encoding", "cache-control", "vary"].map((name) =>
        response?.headers.get(name),
      );
    expect([path, head?.status, shown(head)]).toEqual([path, 200, shown(got)]);
    expect(await head?.text()).toBe("");
    expect((await got?.text())?.length).toBeGreaterThan(0);
  }
  await listening.stop(true);
});

test("paths outside the folder and unknown files are 404", async () => {
  for (const name of ["nothing.js", "..%2fmanifest.json", "..%2f..%2fpackage.json", "%2e%2e/manifest.json"]) {
    expect([name, (await ask(name)).status]).toEqual([name, 404]);
  }
});

test("/robots.txt lets search engines read the front door and what was shared, and nothing of the game", async () => {
  const response = await server.handle(new Request("http://localhost:3000/robots.txt"));
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  const lines = (await response.text()).split("\n");
  expect(lines).toContain("Allow: /shared/");
  expect(lines).toContain("Disallow: /");
});

test("a password manager is led to where a password is changed", async () => {
  const asked = await server.handle(new Request("http://localhost:3000/.well-known/change-password"));
  expect([asked.status, asked.headers.get("location")]).toEqual([302, "/profile/account"]);
});

const signInPage = () =>
  server.handle(new Request("http://localhost:3000/users/sign_in", { headers: { accept: "text/html" } }));

test("a page lists all files that it needs", async () => {
  const html = await (await signInPage()).text();
  const named = [...html.matchAll(/(?:href|src)="\/assets\/([^"]+)"/g)].map((match) => match[1] ?? "");
  expect(named).toContain(manifest.contrast);
  for (const file of manifest.chunks["client/app/sign-in-screens.ts"] ?? []) expect(named).toContain(file);
  for (const name of named) expect([name, (await ask(name)).status]).toEqual([name, 200]);
});

test("a page has its styles in it, and its policy allows exactly these", async () => {
  const response = await signInPage();
  const styles = [...(await response.text()).matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(
    (match) => match[1],
  );
  expect(styles).toEqual([manifest.font.optional, manifest.sheets[ENTRY]?.text]);
  for (const style of styles) {
    const hash = createHash("sha256").update(String(style)).digest("base64");
    expect(response.headers.get("content-security-policy")).toContain(`'sha256-${hash}'`);
  }
});

test("a page says whether its screen's code is still to be fetched", async () => {
  expect(await (await signInPage()).text()).toContain('id="loaded" data-late nonce=');
});

test("the Action page's code stays light", async () => {
  const files = manifest.chunks["client/app/entry.tsx"] ?? [];
  const sizes = await Promise.all(
    files.map(
      async (file) => (await (await ask(file, { "accept-encoding": "br" })).arrayBuffer()).byteLength,
    ),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(ACTION_SCRIPT_BYTES_MAX);
});
