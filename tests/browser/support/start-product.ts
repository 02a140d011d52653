import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterDeath } from "#db/embedded/warden.ts";
import { ownVariables } from "#src/env.ts";
import { type Product, productFile, TOP } from "./product.ts";

/**
 * Starts the whole product as a person would, on a data folder and a port of its own, with the demo; the journeys find its
 * address in `productFile`. Playwright calls it before the first journey, and what it returns after the last.
 */
export default async function startProduct(): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "called-it-journeys-"));
  chmodSync(dataDir, 0o711);
  const product = Bun.spawn([process.execPath, "src/start.ts"], {
    cwd: TOP,
    env: { ...ownVariables(), ...settings, DATA_DIR: dataDir },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
    detached: true,
  });
  const warden = afterDeath(["kill", "-s", "TERM", String(product.pid)]);
  const url = await addressIn(product.stdout);
  const file = productFile(process.pid);
  writeFileSync(file, JSON.stringify({ url, dataDir } satisfies Product));
  return async () => {
    product.kill("SIGTERM");
    await product.exited;
    warden.release();
    for (const made of [file, dataDir]) rmSync(made, { recursive: true, force: true });
  };
}

const settings = {
  NODE_ENV: "development",
  PORT: "0",
  HOST: "127.0.0.1",
  DEMO: "on",
  RATE_LIMITS: "off",
  LOG_LEVEL: "warn",
  PUBLIC_URL: "",
  DATABASE_URL: "",
  REDIS_URL: "",
};

/** Reads what the start prints until it says where it is open; what it prints later is dropped. */
async function addressIn(output: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let told = "";
  const found = Promise.withResolvers<string>();
  void output.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write: (text) => {
        told = `${told}${text}`.slice(-4_000);
        const url = /open at (\S+)/.exec(told)?.[1];
        if (url !== undefined) found.resolve(url);
      },
      close: () => found.reject(new Error(`The product did not start:\n${told}`)),
    }),
  );
  return found.promise;
}
