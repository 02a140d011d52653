import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describeApi } from "#src/api/describe-api.ts";
import { ownVariables } from "#src/settings/env.ts";
import { requireProgram } from "#tests/engines/require-program.ts";
import { afterFile } from "#tests/support/after-file.ts";

/** The generators are no packages of the product: they are fetched here, in these versions. */
const PACKAGES = ["openapi-typescript@7.10.1", "orval@7.17.0", "typescript@5.9.3"];

const folder = mkdtempSync(path.join(tmpdir(), "called-it-clients-"));
afterFile(() => rmSync(folder, { recursive: true, force: true }));

async function run(...command: string[]): Promise<void> {
  const child = Bun.spawn(command, {
    cwd: folder,
    env: ownVariables(),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => new Response(stream).text()),
  );
  expect({ command, code: await child.exited, printed: `${out}${err}` }).toMatchObject({ command, code: 0 });
}

test("the clients that openapi-typescript and orval make of the API's document compile under strict TypeScript", async () => {
  writeFileSync(path.join(folder, "package.json"), "{}");
  writeFileSync(path.join(folder, "openapi.json"), JSON.stringify(describeApi()));
  const orval = {
    api: { input: "openapi.json", output: { target: "client.ts", client: "fetch", mode: "single" } },
  };
  writeFileSync(path.join(folder, "orval.config.mjs"), `export default ${JSON.stringify(orval)};`);
  await run(requireProgram("npm"), "install", "--no-audit", "--no-fund", "--ignore-scripts", ...PACKAGES);
  const npx = requireProgram("npx", "npm");
  await run(npx, "openapi-typescript", "openapi.json", "-o", "types.ts");
  await run(npx, "orval", "--config", "orval.config.mjs");
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "esnext"];
  await run(
    npx,
    "tsc",
    ...options,
    "--moduleResolution",
    "bundler",
    "--lib",
    "es2022,dom",
    "types.ts",
    "client.ts",
  );
});
