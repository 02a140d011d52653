import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import * as v from "valibot";
import { groundColors } from "#client/build/describe-app.ts";
import { MARK_PATH } from "#client/build/draw-icons.ts";
import { offlinePage, offlinePolicy } from "#client/install/offline-page.ts";
import { loadAssets } from "#src/pages/ssr/assets.ts";
import { createServer } from "#src/server.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const server = createServer(deps);
const { manifest } = await loadAssets();
const BUILDS = path.join(import.meta.dir, "../../../dist");

const ask = (address: string, headers: Record<string, string> = {}) =>
  server.handle(new Request(`http://localhost:3000${address}`, { headers }));

const appSchema = v.object({
  name: v.string(),
  short_name: v.pipe(v.string(), v.maxLength(12)),
  id: v.literal("/"),
  start_url: v.literal("/"),
  scope: v.literal("/"),
  display: v.literal("standalone"),
  theme_color: v.string(),
  background_color: v.string(),
  icons: v.array(v.object({ src: v.string(), sizes: v.string(), type: v.string(), purpose: v.string() })),
});

test("the web app manifest names the app, where it starts, and icons that are what it says", async () => {
  const response = await ask("/manifest.webmanifest");
  expect(response.headers.get("content-type")).toBe("application/manifest+json");
  expect(response.headers.get("cache-control")).toBe("public, max-age=86400");
  const app = v.parse(appSchema, await response.json());
  expect(app.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    "192x192 any",
    "512x512 any",
    "192x192 maskable",
    "512x512 maskable",
  ]);
  for (const { src, sizes, type } of app.icons) {
    const icon = await ask(src);
    expect([icon.headers.get("content-type"), icon.headers.get("cache-control")]).toEqual([
      type,
      "public, max-age=31536000, immutable",
    ]);
    const { width, height, format } = await sharp(await icon.arrayBuffer()).metadata();
    expect([`${width}x${height}`, `image/${format}`]).toEqual([sizes, type]);
  }
});

test("a maskable icon has its mark in the inner circle that no system cuts, and fills the rest", async () => {
  const { icons } = v.parse(appSchema, await (await ask("/manifest.webmanifest")).json());
  const src = icons.find(({ purpose }) => purpose === "maskable")?.src ?? "";
  const { data, info } = await sharp(await (await ask(src)).arrayBuffer())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const center = (info.width - 1) / 2;
  const outside: number[] = [];
  let transparent = 0;
  for (let at = 0; at < data.length; at += info.channels) {
    const [x, y] = [(at / info.channels) % info.width, Math.floor(at / info.channels / info.width)];
    if (data[at + 3] !== 255) transparent += 1;
    const isLight = (data[at] ?? 0) > 128;
    if (isLight && Math.hypot(x - center, y - center) > 0.4 * info.width) outside.push(at);
  }
  expect([transparent, outside]).toEqual([0, []]);
});

test("every page leads to the manifest and the icon of iOS, and has the colours of its theme", async () => {
  const pageIn = async (theme: string) =>
    (await ask("/users/sign_in", { accept: "text/html", cookie: `theme=${theme}` })).text();
  const html = await pageIn("system");
  expect(html).toContain('<link rel="manifest" href="/manifest.webmanifest">');
  expect(html).toContain(`<link rel="apple-touch-icon" href="/assets/${manifest.touchIcon}">`);
  const colorsIn = (page: string) =>
    [...page.matchAll(/<meta name="theme-color" content="([^"]+)"/g)].map(([, color]) => color);
  expect(colorsIn(html)).toEqual([groundColors.light, groundColors.dark]);
  expect(colorsIn(await pageIn("dark"))).toEqual([groundColors.dark]);
  const tokens = readFileSync("client/styles/tokens.css", "utf8").toUpperCase();
  for (const color of Object.values(groundColors)) expect(tokens).toContain(color);
});

test("the policy of a page allows its manifest and its worker, and of the worker only what it does", async () => {
  const page = await ask("/users/sign_in", { accept: "text/html" });
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toMatch(/manifest-src|worker-src|unsafe-eval|script-src[^;]*unsafe-inline/);
  const worker = await ask("/service-worker.js");
  expect(worker.headers.get("content-security-policy")).toBe(
    "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'",
  );
});

test("the service worker is asked for again each time, and not sent again if it is the same", async () => {
  const first = await ask("/service-worker.js");
  expect([first.status, first.headers.get("content-type"), first.headers.get("cache-control")]).toEqual([
    200,
    "text/javascript; charset=utf-8",
    "no-cache",
  ]);
  const again = await ask("/service-worker.js", { "if-none-match": first.headers.get("etag") ?? "" });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("the worker stores what every page has fetched anyway, and nothing that a first page does not have", async () => {
  const script = await (await ask("/service-worker.js")).text();
  const [, list = "[]"] = /files:(\[[^\]]*\])/.exec(script) ?? [];
  const files = v.parse(v.array(v.string()), JSON.parse(list));
  const entry = "client/app/entry.tsx";
  const expected = [...(manifest.chunks[entry] ?? []), manifest.styles, manifest.mark];
  expect(files.slice(0, expected.length)).toEqual(expected.map((file) => `/assets/${file}`));
  expect(files.slice(expected.length)).toEqual([expect.stringMatching(/\/basic-.*\.woff2$/)]);
  for (const file of files) expect([file, (await ask(file)).status]).toEqual([file, 200]);
});

test("the offline page has its styles and script in it, and its policy allows exactly these", async () => {
  const parts = { styles: "p{}", contrastStyles: "b{}", script: "run()", mark: MARK_PATH };
  const page = offlinePage(parts);
  expect(page).toContain("<h1>You are offline.</h1>");
  const inline = [...page.matchAll(/<(?:style|script)[^>]*>(.*?)<\/(?:style|script)>/gs)].map(
    ([, text]) => text,
  );
  expect(inline).toEqual(["p{}", "b{}", "run()"]);
  const hashes = inline.map(
    (text) => `'sha256-${createHash("sha256").update(String(text)).digest("base64")}'`,
  );
  expect(offlinePolicy(parts).split("; ")).toEqual([
    "default-src 'none'",
    `style-src ${hashes[0]} ${hashes[1]}`,
    `script-src ${hashes[2]}`,
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  // It is in the worker, so there is always one to show.
  expect(await (await ask("/service-worker.js")).text()).toContain("<h1>You are offline.</h1>");
});

test("a page of the build before an update still gets the rest of its files, and no path leads elsewhere", async () => {
  const older = path.join(BUILDS, `0000${crypto.randomUUID().slice(0, 8)}`);
  mkdirSync(path.join(older, "assets"), { recursive: true });
  afterFile(() => rmSync(older, { recursive: true, force: true }));
  writeFileSync(path.join(older, "manifest.json"), "{}");
  writeFileSync(path.join(older, "assets", "screens-older.js"), "export const older = true;");
  const response = await ask("/assets/screens-older.js");
  expect([response.status, await response.text()]).toEqual([200, "export const older = true;"]);
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  for (const name of [
    "..%2fmanifest.json",
    "manifest.json",
    "screens-older",
    "%2e%2e%2f%2e%2e%2fpackage.json",
  ])
    expect([name, (await ask(`/assets/${name}`)).status]).toEqual([name, 404]);
});
