import { expect, test } from "bun:test";
import { takeTurn } from "#src/base/turns.ts";
import { testDeps } from "#tests/support/deps.ts";

const { redis } = await testDeps();

test("a turn is taken once within its time, and the others learn how long to wait", async () => {
  const waits = await Promise.all(Array.from({ length: 8 }, () => takeTurn(redis, "turn:1", 60_000)));
  expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(1);
  expect(Math.max(...waits)).toBeWithin(50_000, 60_001);
});

test("nobody waits for longer than that, also after the clock of Redis was set back, or once it is empty", async () => {
  await redis.set("turn:2", 1, "PX", 60_250);
  expect(await takeTurn(redis, "turn:2", 250)).toBe(0);
  expect(await redis.pttl("turn:2")).toBeLessThanOrEqual(250);
  expect(await takeTurn(redis, "turn:3", 60_000)).toBe(0);
  await redis.flushall();
  expect(await takeTurn(redis, "turn:3", 60_000)).toBe(0);
});
