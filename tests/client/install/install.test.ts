import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterFile } from "#tests/support/after-file.ts";
import { testWorld } from "#tests/support/world.ts";

const { server } = await testWorld();
const BUILDS = path.join(import.meta.dir, "../../../dist");

const ask = (address: string, headers: Record<string, string> = {}) =>
  server.handle(new Request(`http://localhost:3000${address}`, { headers }));

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

test("a page of the build before an update still gets the rest of its files", async () => {
  const older = path.join(BUILDS, `0000${crypto.randomUUID().slice(0, 8)}`);
  mkdirSync(path.join(older, "assets"), { recursive: true });
  afterFile(() => rmSync(older, { recursive: true, force: true }));
  writeFileSync(path.join(older, "manifest.json"), "{}");
  writeFileSync(path.join(older, "assets", "screens-older.js"), "export const older = true;");
  const response = await ask("/assets/screens-older.js");
  expect([response.status, await response.text()]).toEqual([200, "export const older = true;"]);
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
});
