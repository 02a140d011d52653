import { expect, test } from "bun:test";
import { readLastContract } from "#tests/upgrade/contract.ts";

// Only Linux shares a port among processes.
const { version } = readLastContract();

test.skipIf(process.platform !== "linux").each([
  ["two web processes and the worker are restarted one after the other", "restart-in-turn.ts"],
  [`${version} is upgraded to this release`, "upgrade-in-turn.ts"],
])("%s while players read, call and listen, and nothing is lost", async (_, program) => {
  const child = Bun.spawn([process.execPath, `tests/proofs/machines/${program}`], {
    stdout: "inherit",
    stderr: "inherit",
  });
  expect(await child.exited).toBe(0);
});
