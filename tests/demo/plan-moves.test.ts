import { expect, test } from "bun:test";
import { demoRobots } from "#db/seeds/users.ts";
import { planMoves } from "#jobs/demo/robots.ts";

const durationMs = 20_000;
const keys = Array.from({ length: 200 }, (_, index) => `${index}-1`);
const all = keys.flatMap((key) => demoRobots.flatMap((robot) => planMoves(robot, { key, durationMs })));
const share = (held: number) => held / all.length;

test("a robot plans the same for the same event, in every process", () => {
  for (const robot of demoRobots) {
    expect(planMoves(robot, { key: "12-1", durationMs })).toEqual(
      planMoves(robot, { key: "12-1", durationMs }),
    );
  }
});

test("robots wager whole dollars within their limit, after the time to read the question", () => {
  for (const robot of demoRobots) {
    for (const move of keys.flatMap((key) => planMoves(robot, { key, durationMs }))) {
      expect(move.wagerCents % 100).toBe(0);
      expect(move.wagerCents).toBeGreaterThanOrEqual(100);
      expect(move.wagerCents).toBeLessThanOrEqual(robot.wagerMaxDollars * 100);
      expect(move.afterMs).toBeGreaterThanOrEqual(900);
    }
  }
});

test("most events get several calls on both sides; some calls are late, some are cancelled", () => {
  expect(all.length / keys.length).toBeGreaterThan(6);
  const trueSides = all.filter((move) => move.preferredSide === "true").length;
  expect(share(trueSides)).toBeGreaterThan(0.4);
  expect(share(trueSides)).toBeLessThan(0.6);
  expect(all.some((move) => move.afterMs > durationMs)).toBe(true);
  expect(share(all.filter((move) => move.afterMs > durationMs).length)).toBeLessThan(0.06);
  expect(all.some((move) => move.cancelAfterMs !== null)).toBe(true);
});
