import { expect, test } from "bun:test";
import { brotliDecompressSync } from "node:zlib";
import { buildClient } from "#client/build/build.ts";
import { testWorld } from "#tests/support/world.ts";

/**
 * The maximum size of all code of the Action page, compressed. React and the router are 88 KB of it, functions that browsers of 2023 lack
 * 1 KB; a release of React may have 0.5 KB more. The names of files alone make 0.1 KB of difference.
 */
const ACTION_SCRIPT_BYTES_MAX = 136_200;

const { server } = await testWorld();
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

test("paths outside the folder and unknown files are 404", async () => {
  for (const name of [
    "nothing.js",
    "manifest.json",
    "..%2fmanifest.json",
    "..%2f..%2fpackage.json",
    "%2e%2e/manifest.json",
  ]) {
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

test("the Action page's code stays light", async () => {
  const files = manifest.chunks["client/app/entry.tsx"] ?? [];
  const sizes = await Promise.all(
    files.map(
      async (file) => (await (await ask(file, { "accept-encoding": "br" })).arrayBuffer()).byteLength,
    ),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(ACTION_SCRIPT_BYTES_MAX);
});
