import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import * as v from "valibot";
import { MARK_PATH } from "#client/build/draw-icons.ts";
import { offlinePage, offlinePolicy } from "#client/install/offline-page.ts";
import { withoutSpoiler } from "#client/install/worker/without-spoiler.ts";
import { createServer } from "#src/server.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const server = createServer(deps);
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

const result = {
  title: "You called it: +$3.04",
  body: "Will it rain?",
  url: "/sessions/derby",
  tag: "results-7",
};
const refund = {
  title: "Refunded $5.00",
  body: "Will it snow?",
  url: "/sessions/derby",
  tag: "notification-9",
};
const live = {
  title: "Derby is live",
  body: "The first action opens.",
  url: "/sessions/derby",
  tag: "live-7",
};

test("with a stream delay no word or amount of a result is in a message, and it opens the same page", () => {
  for (const message of [result, refund]) {
    expect(withoutSpoiler(message, 40)).toEqual({
      title: "There is news in your session",
      body: "Open it to see what, with your stream delay.",
      url: message.url,
      tag: message.tag,
    });
  }
});

test("that a session is live is said in any case, and without a delay everything", () => {
  expect(withoutSpoiler(live, 40)).toEqual(live);
  for (const message of [result, refund, live]) expect(withoutSpoiler(message, 0)).toEqual(message);
});
