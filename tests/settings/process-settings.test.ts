import { expect, test } from "bun:test";
import { readEnv } from "#src/settings/env.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";

const { dataDir, remove } = makeDataFolder();
afterFile(remove);

test("several web processes are refused where a system cannot share a port among them", () => {
  const read = (platform: NodeJS.Platform, count: string) =>
    readEnv({ DATA_DIR: dataDir, WEB_CONCURRENCY: count }, platform).webConcurrency;
  expect(read("linux", "4")).toBe(4);
  expect(() => read("darwin", "2")).toThrow(/^WEB_CONCURRENCY above 1 needs Linux.*Leave it out/);
  expect(read("darwin", "1")).toBe(1);
});

test("web processes drain in production only, unless it is set", () => {
  const read = (variables: Record<string, string>) => readEnv({ DATA_DIR: dataDir, ...variables }).drainMs;
  const production = { NODE_ENV: "production", SECRET_KEY: "abcdefgh".repeat(4) };
  expect([read({}), read(production), read({ ...production, DRAIN_SECONDS: "0" })]).toEqual([0, 5_000, 0]);
  expect(read({ DRAIN_SECONDS: "2" })).toBe(2_000);
});
