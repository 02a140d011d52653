import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bundleScripts, checkFunctions, checkModules } from "#client/build/bundle-scripts.ts";
import { afterFile } from "#tests/support/after-file.ts";

const outdir = mkdtempSync(path.join(tmpdir(), "bundle-"));
afterFile(() => rmSync(outdir, { recursive: true, force: true }));

const { chunks } = await bundleScripts(outdir);

test.each([
  "node_modules/valibot/dist/index.mjs",
  "src/show/events/schemas.ts",
  "src/show/events/endpoints.ts",
  "src/base/refusal.ts",
  "db/schema/events.ts",
  "jobs/workers.ts",
  "client/card/clip.webm",
])("a bundle with %s is refused", (foreign) => {
  const modules = ["client/app/entry.tsx", "src/show/events/contract.ts", "db/lists/events.ts"];
  expect(() => checkModules(modules)).not.toThrow();
  expect(() => checkModules([...modules, foreign])).toThrow(`must not contain ${foreign}`);
});

test.each([
  "Object.groupBy(calls, by)",
  "await Array.fromAsync(parts)",
  "document.body.checkVisibility()",
  "all.values().map((each) => each.id)",
])("a script with %s is refused, because not all supported browsers have it", (script) => {
  expect(() => checkFunctions("entry.js", script)).toThrow("entry.js uses");
});

test("a page of the entry needs two scripts: the vendor's and the entry's own", () => {
  const { "client/app/entry.tsx": entry = [], ...others } = chunks;
  expect(entry.length).toBe(2);
  for (const late of [
    "client/app/screens.ts",
    "client/app/account-screens.ts",
    "client/app/sign-in-screens.ts",
    "client/app/admin-screens.ts",
  ])
    expect(others[late]).toEqual(expect.arrayContaining(entry));
});
