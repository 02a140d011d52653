import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { buildClient } from "#client/build/build.ts";
import { createServer } from "#src/server.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const server = createServer(deps);
const { assetsDir, manifest } = await buildClient();

const ACCEPTED = "gzip, deflate, br, zstd, dcb, dcz";
const ask = (target: string, headers: Record<string, string> = {}) =>
  server.handle(
    new Request(new URL(target, "http://localhost:3000"), {
      headers: { "accept-encoding": ACCEPTED, ...headers },
    }),
  );
const named = (bytes: string | Uint8Array) => ({
  "available-dictionary": `:${new Bun.CryptoHasher("sha256").update(bytes).digest("base64")}:`,
});
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

test("a page names the dictionary of the pages, which is the styles that players' pages have in them", async () => {
  const page = gunzipSync(await bytesOf(await ask("/users/sign_in", { accept: "text/html" }))).toString();
  expect(page).toContain(`<link rel="compression-dictionary" data-href="/assets/${manifest.dictionary}">`);
  const response = await ask(`/assets/${manifest.dictionary}`);
  expect(response.headers.get("use-as-dictionary")).toBe('match="/*", match-dest=("document")');
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(response.headers.get("content-encoding")).toBe("br");
  const text = brotliDecompressSync(await bytesOf(response)).toString();
  for (const module of ["client/entry.tsx", "client/account-screens.ts", "client/screens.ts"])
    expect(text).toContain(manifest.pageStyles[module]?.critical ?? "missing");
  expect(text).toContain(manifest.contrast);
});

test("a browser that has the dictionary gets the same page in less than half of the bytes", async () => {
  const dictionary = await bytesOf(
    await ask(`/assets/${manifest.dictionary}`, { "accept-encoding": "identity" }),
  );
  const plain = await bytesOf(await ask("/users/sign_in", { accept: "text/html" }));
  const response = await ask("/users/sign_in", { accept: "text/html", ...named(dictionary) });
  expect(response.headers.get("content-encoding")).toBe("dcz");
  expect(response.headers.get("vary")).toContain("available-dictionary");
  const bytes = await bytesOf(response);
  expect(bytes.length).toBeLessThan(plain.length / 2);
  const withoutSecrets = (html: Buffer) =>
    html.toString().replaceAll(/(nonce|content|value)="[\w-]{22,}"/g, "");
  expect(withoutSecrets(zstdDecompressSync(bytes, { dictionary }))).toBe(withoutSecrets(gunzipSync(plain)));
});

test("after an update a browser fetches only what has changed in the large scripts", async () => {
  const [name = ""] = (manifest.chunks["client/account-screens.ts"] ?? []).filter((file) =>
    file.startsWith("account-screens-"),
  );
  const code = await (await ask(`/assets/${name}`, { "accept-encoding": "identity" })).text();
  const before = code.replaceAll("/profile", "/account");
  expect(before).not.toBe(code);
  const older = path.join(assetsDir, "../..", `0000${crypto.randomUUID().slice(0, 8)}`);
  mkdirSync(path.join(older, "assets"), { recursive: true });
  afterFile(() => rmSync(older, { recursive: true, force: true }));
  writeFileSync(path.join(older, "assets", "account-screens-0lder.js"), before);

  const whole = await ask(`/assets/${name}`);
  expect(whole.headers.get("use-as-dictionary")).toBe(
    'match="/assets/account-screens-*.js", match-dest=("script")',
  );
  for (const repeated of [false, true]) {
    const changes = await ask(`/assets/${name}`, named(before));
    expect([repeated, changes.headers.get("content-encoding")]).toEqual([repeated, "dcz"]);
    expect(changes.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    const bytes = await bytesOf(changes);
    expect(zstdDecompressSync(bytes, { dictionary: Buffer.from(before) }).toString()).toBe(code);
    expect(bytes.length).toBeLessThan((await bytesOf(whole.clone())).length / 10);
  }

  // A file of another build that cannot be read, as if its build were just being deleted.
  mkdirSync(path.join(older, "assets", "account-screens-g0ne.js"));
  expect((await ask(`/assets/${name}`, named("unknown"))).headers.get("content-encoding")).toBe("br");
  rmSync(path.join(older, "assets", "account-screens-g0ne.js"), { recursive: true });

  // A dictionary that is not here, one of other requests, and a browser that does not use any.
  expect((await ask(`/assets/${name}`, named("unknown"))).headers.get("content-encoding")).toBe("br");
  expect((await ask(`/assets/${manifest.entry}`, named(before))).headers.get("content-encoding")).toBe("br");
  const unable = await ask(`/assets/${name}`, { ...named(before), "accept-encoding": "gzip, br" });
  expect(unable.headers.get("content-encoding")).toBe("br");
});

test("of the scripts that browsers keep as dictionaries, each is for the requests of one module", async () => {
  const scripts = readdirSync(assetsDir).filter((file) => file.endsWith(".js"));
  const answers = await Promise.all(scripts.map((file) => ask(`/assets/${file}`)));
  const used = answers.flatMap(({ headers }) => headers.get("use-as-dictionary") ?? []);
  expect(used.length).toBeGreaterThan(2);
  expect(new Set(used).size).toBe(used.length);
});
