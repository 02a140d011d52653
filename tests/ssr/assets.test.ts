import { expect, test } from "bun:test";
import { brotliDecompressSync } from "node:zlib";
import { buildClient } from "#client/build/build.ts";
import { createServer } from "#src/server.ts";
import { testDeps } from "#tests/support/deps.ts";

/** The maximum size of all code of the Action page, compressed. React and the router are 86 KB of it. */
const ACTION_SCRIPT_BYTES_MAX = 114_000;

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

test("a file in the browser's cache is not sent again", async () => {
  const etag = (await ask(manifest.styles)).headers.get("etag") ?? "";
  const response = await ask(manifest.styles, { "if-none-match": etag });
  expect([response.status, await response.text()]).toEqual([304, ""]);
});

test("paths outside the folder and unknown files are 404", async () => {
  for (const name of ["nothing.js", "..%2fmanifest.json", "..%2f..%2fpackage.json", "%2e%2e/manifest.json"]) {
    expect([name, (await ask(name)).status]).toEqual([name, 404]);
  }
});

test("/favicon.ico serves the icon", async () => {
  const response = await server.handle(new Request("http://localhost:3000/favicon.ico"));
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
});

test("a page lists all files that it needs", async () => {
  const request = new Request("http://localhost:3000/users/sign_in", { headers: { accept: "text/html" } });
  const html = await (await server.handle(request)).text();
  const named = [...html.matchAll(/(?:href|src)="\/assets\/([^"]+)"/g)].map((match) => match[1] ?? "");
  expect(named).toContain(manifest.styles);
  expect(named).toContain(manifest.font);
  for (const file of manifest.chunks["client/account-screens.ts"] ?? []) expect(named).toContain(file);
  for (const name of named) expect([name, (await ask(name)).status]).toEqual([name, 200]);
});

test("the Action page's code stays light", async () => {
  const files = manifest.chunks["client/entry.tsx"] ?? [];
  const sizes = await Promise.all(
    files.map(
      async (file) => (await (await ask(file, { "accept-encoding": "br" })).arrayBuffer()).byteLength,
    ),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(ACTION_SCRIPT_BYTES_MAX);
});
