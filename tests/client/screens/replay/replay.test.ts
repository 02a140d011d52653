import { expect, test } from "bun:test";
import { listResults } from "#client/screens/replay/actions-table.tsx";
import { createAxis } from "#client/screens/replay/axis.ts";
import { createTimeline } from "#client/screens/replay/timeline.ts";
import type { ReplayEvent, ReplayStep } from "#src/replays/schemas.ts";

const START_MS = Date.parse("2026-11-21T20:00:00.000Z");
const at = (seconds: number) => new Date(START_MS + seconds * 1_000).toISOString();

function step(seconds: number, change: Partial<ReplayStep>): ReplayStep {
  return { at: at(seconds), session: null, events: [], pools: [], leaders: null, acts: [], ...change };
}

const goal: ReplayEvent = {
  id: 1,
  shown: true,
  position: 1,
  title: "Goal?",
  trueLabel: "Yes",
  falseLabel: "No",
  state: "visible",
  round: 1,
  result: null,
  resultReason: null,
  pendingResult: null,
  effectiveAt: null,
  durationSeconds: 30,
  opensAt: at(10),
  openedAt: null,
  closesAt: at(40),
  closedAt: null,
  resolvedAt: null,
};
const open: ReplayEvent = { ...goal, state: "open", openedAt: at(14) };
const resolved: ReplayEvent = { ...open, state: "resolved", result: "true", resolvedAt: at(50) };
const session = {
  name: "Derby",
  state: "running",
  startsAt: null,
  startedAt: at(0),
  pausedAt: null,
  stoppedAt: null,
} as const;
const DAY_S = 86_400;

const timeline = createTimeline([
  step(-DAY_S, { session: { ...session, state: "pending", startedAt: null }, events: [goal] }),
  step(0, { session }),
  step(14.2, { events: [open] }),
  step(20, {
    pools: [{ eventId: 1, round: 1, trueCents: 300, trueCalls: 2, falseCents: 100, falseCalls: 1 }],
  }),
  step(50.4, { events: [resolved] }),
  step(50.9, { events: [{ ...resolved, resultReason: "Seen by all" }] }),
  step(60, { events: [{ ...resolved, result: "false" }] }),
  // A week later.
  step(7 * DAY_S, { events: [{ ...resolved, result: "void" }] }),
]);

test("the slider begins with the start of the session, and quiet times are shortened", () => {
  const axis = createAxis(timeline);
  expect(axis.momentMs(0)).toBe(START_MS);
  expect(axis.momentMs(60)).toBe(START_MS + 60_000);
  expect(axis).toMatchObject({ last: 66, shortened: true });
  expect(axis.momentMs(66)).toBe(START_MS + 7 * DAY_S * 1_000);
  for (const value of [0, 1, 59, 60, 61, 66]) expect(axis.valueAt(axis.momentMs(value))).toBe(value);
  expect(axis.valueAt(START_MS - 5_000)).toBe(0);
  expect(axis.valueAt(START_MS + DAY_S * 1_000)).toBe(61);
});

test("results are those that were announced: each first one, and each correction", () => {
  const results = listResults(timeline).map(({ atMs, label }) => [(atMs - START_MS) / 1_000, label]);
  expect(results).toEqual([
    [50.4, "Yes"],
    [60, "No"],
    [7 * DAY_S, "Void"],
  ]);
});

test("a state is the same however one gets there", () => {
  const steps = Array.from({ length: 300 }, (_, second) =>
    step(second, {
      pools: [{ eventId: 1, round: 1, trueCents: second, trueCalls: 1, falseCents: 0, falseCalls: 0 }],
    }),
  );
  const long = createTimeline([step(-1, { events: [open] }), ...steps]);
  for (const second of [299, 3, 128, 64, 63, 0, 200]) {
    expect(long.stateAt(START_MS + second * 1_000).events[0]?.pool.trueCents).toBe(second);
  }
  // A new round begins empty, and takes no pool of the one before.
  const reset = createTimeline([
    step(0, { events: [open] }),
    step(1, { pools: [{ eventId: 1, round: 1, trueCents: 5, trueCalls: 1, falseCents: 0, falseCalls: 0 }] }),
    step(2, { events: [{ ...open, round: 2 }] }),
    step(3, { pools: [{ eventId: 1, round: 1, trueCents: 9, trueCalls: 1, falseCents: 0, falseCalls: 0 }] }),
  ]);
  expect(reset.stateAt(START_MS + 5_000).events[0]?.pool.trueCents).toBe(0);
});
