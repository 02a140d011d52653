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

test("many taps after the close are found, and few are not", () => {
  const taps = [tapOn(0, "late"), ...Array.from({ length: 8 }, () => tapOn(0, "placed"))];
  expect(rushedIn({ plan: planOf({}), records: [recordAt(0)], taps })).toEqual([
    "many_late_taps 1: 11.1, not 10",
  ]);
});
