import { expect, test } from "bun:test";
import type { EventRecord, Play, Tap } from "#src/dry-runs/simulate/play.ts";
import { findRushed } from "#src/dry-runs/simulate/write-report.ts";
import { planOf } from "./plan.ts";

type Played = Pick<Play, "plan" | "records" | "taps">;

/** An event that is visible, opens 5 s later, is open for 20 s, and has its result 4 s after that. */
function recordAt(visibleAtMs: number, openMs = 20_000): EventRecord {
  const openedAtMs = visibleAtMs + 5_000;
  const closesAtMs = openedAtMs + openMs;
  const resolvedAtMs = closesAtMs + 4_000;
  return {
    visibleAtMs,
    openedAtMs,
    closesAtMs,
    closedAtMs: closesAtMs,
    decidedAtMs: resolvedAtMs,
    resolvedAtMs,
    paidAtMs: resolvedAtMs,
    result: "true",
  };
}

function tapOn(event: number, answer: string): Tap {
  return {
    event,
    player: 0,
    side: "true",
    wagerCents: 100,
    tappedAtMs: 0,
    arrivedAtMs: 0,
    answer,
    callId: null,
  };
}

const rushedIn = (played: Played) =>
  findRushed(played).map(
    ({ rule, event, measured, wanted }) => `${rule} ${event}: ${measured}, not ${wanted}`,
  );

test("a calm show is not rushed", () => {
  const records = [recordAt(0), recordAt(40_000)];
  const taps = [...Array.from({ length: 9 }, () => tapOn(0, "placed")), tapOn(0, "late")];
  expect(rushedIn({ plan: planOf({}, {}), records, taps })).toEqual([]);
});

test("a long question that closes soon leaves little time to read, unless it is visible before it opens", () => {
  const plan = planOf({ description: "A sentence of many words. ".repeat(12) });
  expect(rushedIn({ plan, records: [recordAt(0, 5_000)], taps: [] })).toEqual([
    "little_time_to_read 1: 10, not 24.8",
  ]);
  expect(rushedIn({ plan, records: [{ ...recordAt(0, 25_000), visibleAtMs: 0 }], taps: [] })).toEqual([]);
});

test("the next question needs a pause after the result, and should not open before it", () => {
  const plan = planOf({}, {}, {});
  const records = [recordAt(0), recordAt(25_000), recordAt(48_000)];
  expect(rushedIn({ plan, records, taps: [] })).toEqual([
    "no_pause_after_result 2: 1, not 5",
    "opens_before_result 3: -1, not 0",
  ]);
});

test("many taps after the close are found, and few are not", () => {
  const taps = [tapOn(0, "late"), ...Array.from({ length: 8 }, () => tapOn(0, "placed"))];
  expect(rushedIn({ plan: planOf({}), records: [recordAt(0)], taps })).toEqual([
    "many_late_taps 1: 11.1, not 10",
  ]);
});

test("a host needs time to decide, and a planned result does not", () => {
  const plan = planOf({ resolveWithinSeconds: 8 }, { resolveWithinSeconds: 0, autoResult: "true" });
  const records = [recordAt(0), recordAt(40_000)];
  expect(rushedIn({ plan, records, taps: [] })).toEqual(["little_time_to_decide 1: 8, not 10"]);
});
