import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Glob } from "bun";
import { figure } from "#tests/prove/figure.ts";
import { runBunTest } from "#tests/support/run-bun-test.ts";

const files = [...new Glob("tests/**/*.test.ts").scanSync(".")]
  .filter((file) => readFileSync(file, "utf8").includes("roundsOf({"))
  .toSorted();

test.each(files)("%s passes in many rounds", async (file) => {
  const { passed, failed } = await runBunTest([file], { variables: { ROUNDS: "many" } });
  expect(failed).toBe(0);
  expect(passed).toBeGreaterThan(0);
});

test("there are such tests", () => {
  figure(`${files.length} files`);
  expect(files.length).toBeGreaterThan(0);
});
