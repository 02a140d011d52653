import { mkdirSync } from "node:fs";
import path from "node:path";
import { ownVariables } from "#src/settings/env.ts";
import type { Product } from "#tests/browser/support/product.ts";
import { requireProgram } from "#tests/engines/require-program.ts";
import type { Certificate } from "#tests/proofs/engines/nginx.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";
import { PRODUCT_VARIABLE } from "./name-product.ts";
import type { Machines } from "./start-machines.ts";

/** Runs the journeys through the machines, in a browser that trusts the certificate. @returns whether all have passed. */
export async function visitMachines(
  machines: Machines,
  { certificate }: Pick<Certificate, "certificate">,
): Promise<boolean> {
  const { dataDir: home, remove } = makeDataFolder();
  trust(home, certificate);
  const { url, ownerDatabaseUrl, redis } = machines;
  const product: Product = { url, ownerDatabaseUrl, redisUrl: redis.url };
  const config = "--config=tests/proofs/machines/playwright.config.ts";
  const command = ["--bun", "node_modules/.bin/playwright", "test", config];
  const child = Bun.spawn([process.execPath, ...command], {
    env: { ...ownVariables(), HOME: home, [PRODUCT_VARIABLE]: JSON.stringify(product) },
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  const passed = (await child.exited) === 0;
  remove();
  return passed;
}

/** Chromium reads what its user trusts from the home folder. */
function trust(home: string, certificate: string): void {
  const database = path.join(home, ".pki/nssdb");
  mkdirSync(database, { recursive: true });
  const certutil = requireProgram("certutil", "libnss3-tools");
  for (const options of [
    ["-N", "--empty-password"],
    ["-A", "-t", "C,,", "-n", "Called It", "-i", certificate],
  ]) {
    const done = Bun.spawnSync([certutil, "-d", `sql:${database}`, ...options], { stderr: "pipe" });
    if (done.exitCode !== 0) throw new Error(done.stderr.toString());
  }
}
