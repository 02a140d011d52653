import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import path from "node:path";
import { launch } from "#db/embedded/server.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";

// A start waits for as long as its child works.
const STILL_MAX_MS = 3_000;
const TEST_WITHIN_MS = 120_000;
const { dataDir: folder, remove } = makeDataFolder();
afterFile(remove);

/** Launches a shell with this program, which is ready once it has made the file `$0`. */
function start(program: string) {
  const ready = path.join(folder, crypto.randomUUID());
  return launch({
    name: "The child",
    command: ["/bin/sh", "-c", program, ready],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    stopSignal: "SIGTERM",
    stillMaxMs: STILL_MAX_MS,
    isReady: () => existsSync(ready),
  });
}

test(
  "a child that works for longer than it may stand still is waited for",
  async () => {
    // A fifth of a processor for twice as long: many times what counts as work.
    const turn = "n=0; while [ $n -lt 100000 ]; do n=$((n + 1)); done; sleep 0.3";
    const busy = `end=$(($(date +%s) + ${(2 * STILL_MAX_MS) / 1_000})); while [ $(date +%s) -lt $end ]; do ${turn}; done`;
    const server = await start(`${busy}; : > "$0"; exec sleep 600`);
    await server.stop();
  },
  TEST_WITHIN_MS,
);

test("a child that has ended is told with its code", async () => {
  expect(await start("exit 7").catch(String)).toContain("The child did not start: it has ended with code 7");
});

test(
  "a child that stands still is ended, and said so",
  async () => {
    expect(await start("exec sleep 600").catch(String)).toContain("it has done nothing for 3 s");
  },
  TEST_WITHIN_MS,
);
