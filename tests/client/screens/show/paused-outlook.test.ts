import { expect, test } from "bun:test";
import { laterBy, originalPlan, outlook, pausedForMs } from "#client/running-order/schedule.ts";
import {
  buildEvent,
  buildPlan,
  buildSession,
  inSeconds,
  NOW_MS,
} from "#tests/client/events/action-states.ts";

test("with each second of a pause the show ends later, and so do all planned times", () => {
  const session = buildSession({ startedAt: inSeconds(-60), state: "paused", pausedAt: inSeconds(0) });
  const last = buildEvent({
    state: "draft",
    openedAt: null,
    createdAt: inSeconds(-120),
    durationSeconds: 20,
    closesAt: inSeconds(30),
    plan: buildPlan(),
  });
  const end = outlook(session, [last], originalPlan(session, [last]));
  const after = (seconds: number) => pausedForMs(session, NOW_MS + seconds * 1_000);
  expect(end && [0, 0.4, 60, 61.9].map((seconds) => laterBy(end, after(seconds)))).toEqual([
    { endsAt: inSeconds(30), behindMs: 70_000 },
    { endsAt: inSeconds(30), behindMs: 70_000 },
    { endsAt: inSeconds(90), behindMs: 130_000 },
    { endsAt: inSeconds(91), behindMs: 131_000 },
  ]);
  expect(laterBy({ endsAt: null, behindMs: 0 }, 5_000)).toEqual({ endsAt: null, behindMs: 5_000 });
  expect(pausedForMs(buildSession(), NOW_MS)).toBe(0);
});
