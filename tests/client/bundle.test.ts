import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bundleScripts } from "#client/build/bundle-scripts.ts";
import { checkModules } from "#client/build/slim-bundle.ts";
import { afterFile } from "#tests/support/after-file.ts";

const outdir = mkdtempSync(path.join(tmpdir(), "bundle-"));
afterFile(() => rmSync(outdir, { recursive: true, force: true }));

const replaced = ["dom/ssr/components.js", "router/instrumentation.js"].map(
  (module) => `node_modules/react-router/dist/production/lib/${module}`,
);
const modules = ["client/entry.tsx", "src/events/contract.ts", "db/lists/events.ts", ...replaced];

test("the bundle has only the client's code, contracts and lists, and chunks for the screens", async () => {
  // bundleScripts calls checkModules with the bundler's own list of modules, and throws if it refuses.
  const chunks = Object.keys(await bundleScripts(outdir));
  for (const name of ["entry.tsx", "screens.ts", "account-screens.ts", "admin-screens.ts", "vendor.ts"]) {
    expect(chunks).toContain(`client/${name}`);
  }
});

test.each([
  "node_modules/valibot/dist/index.mjs",
  "src/events/schemas.ts",
  "src/events/endpoints.ts",
  "src/base/refusal.ts",
  "db/schema/events.ts",
  "jobs/queues.ts",
])("a bundle with %s is refused", (foreign) => {
  expect(() => checkModules(modules)).not.toThrow();
  expect(() => checkModules([...modules, foreign])).toThrow(`must not contain ${foreign}`);
});

test("a bundle is refused if a module of react-router is not where it is replaced", () => {
  for (const moved of replaced) {
    const others = modules.filter((module) => module !== moved);
    expect(() => checkModules(others)).toThrow("adjust client/build/slim-bundle.ts");
  }
});
