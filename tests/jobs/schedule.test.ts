import { expect, test } from "bun:test";
import { startSchedule } from "#jobs/schedule.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const deps = await testDeps();

test("a task that takes long runs once at a time, and holds up no other; one that fails runs again", async () => {
  const counts = { slow: 0, quick: 0, failing: 0 };
  const held = Promise.withResolvers<void>();
  const { stop } = startSchedule(deps, [
    {
      name: "slow",
      everyMs: 5,
      run: () => {
        counts.slow += 1;
        return held.promise;
      },
    },
    { name: "quick", everyMs: 5, run: async () => void (counts.quick += 1) },
    {
      name: "failing",
      everyMs: 5,
      run: async () => {
        counts.failing += 1;
        throw new Error("not today");
      },
    },
  ]);
  await waitFor("the others to run", () => counts.quick >= 10 && counts.failing >= 10);
  expect(counts.slow).toBe(1);
  held.resolve();
  await waitFor("its next run", () => counts.slow > 1);
  await stop();
});
