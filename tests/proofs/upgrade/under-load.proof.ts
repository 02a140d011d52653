import { expect, test } from "bun:test";
import path from "node:path";
import { readLastContract } from "#tests/upgrade/contract.ts";

/** Both releases are installed and built, on a machine that may be busy. */
const SLOW_MS = 600_000;
const TOP = path.join(import.meta.dir, "../../..");
const { version } = readLastContract();

// Only Linux shares a port among processes.
test.skipIf(process.platform !== "linux")(
  `${version} is upgraded to this release while players read, call and listen, and nothing is lost`,
  async () => {
    const child = Bun.spawn([process.execPath, "tests/proofs/machines/upgrade-in-turn.ts"], {
      cwd: TOP,
      stdout: "inherit",
      stderr: "inherit",
    });
    expect(await child.exited).toBe(0);
  },
  SLOW_MS,
);
