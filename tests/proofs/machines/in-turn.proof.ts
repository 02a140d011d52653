import { expect, test } from "bun:test";
import { readLastContract } from "#tests/upgrade/contract.ts";

// Only Linux shares a port among processes.
test.skipIf(process.platform !== "linux")(
  `${readLastContract().version} is upgraded to this release while players read, call and listen, and nothing is lost`,
  async () => {
    const child = Bun.spawn([process.execPath, "tests/proofs/machines/upgrade-in-turn.ts"], {
      stdout: "inherit",
      stderr: "inherit",
    });
    expect(await child.exited).toBe(0);
  },
);
