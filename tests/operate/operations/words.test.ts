import { expect, test } from "bun:test";
import { lateTime } from "#client/screens/operations/work-panels.tsx";

test("how late something is, is said in seconds, then in minutes, then in hours", () => {
  expect([200, 4_300, 720_000, 10_800_000].map(lateTime)).toEqual(["less than 1 s", "4 s", "12 min", "3 h"]);
});
