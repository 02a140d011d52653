import { describe, expect, test } from "bun:test";
import { inOrder, moveItem, indexAt, shiftOf } from "#client/base/format/move-item.ts";
import {
  formatLength,
  lengthText,
  type Planned,
  plannedSeconds,
  planTimes,
  startText,
} from "#client/blueprints/plan-times.ts";
import { planEvents } from "#src/show/sessions/plan-events.ts";

const after = (offsetSeconds: number, durationSeconds: number): Planned => ({
  startMode: "after_previous",
  offsetSeconds,
  durationSeconds,
});
const at = (offsetSeconds: number, durationSeconds: number): Planned => ({
  startMode: "offset",
  offsetSeconds,
  durationSeconds,
});
const waiting = (startMode: "after_result" | "by_hand", offsetSeconds: number): Planned => ({
  startMode,
  offsetSeconds,
  durationSeconds: 30,
});
const derby = [after(0, 30), at(120, 120), after(0, 60), after(12, 30), at(200, 10), after(5, 5)];

describe("planned times", () => {
  test("an event opens at its offset, or after the previous close and the wait", () => {
    expect(planTimes(derby).map(({ opensAtSeconds }) => opensAtSeconds)).toEqual([
      0, 120, 240, 312, 200, 215,
    ]);
    expect(planTimes(derby).at(1)).toEqual({ opensAtSeconds: 120, closesAtSeconds: 240, atLeast: false });
  });

  test("are those of a session of the blueprint", () => {
    const show = [
      ...derby,
      waiting("after_result", 8),
      after(8, 30),
      waiting("by_hand", 8),
      at(500, 10),
      after(2, 10),
    ];
    const planned = planEvents(
      show.map((event, id) => ({ id, ...event })),
      0,
    );
    expect(planTimes(show).map(({ opensAtSeconds, atLeast }) => (atLeast ? null : opensAtSeconds))).toEqual(
      planned.map(({ opensInSeconds }) => opensInSeconds),
    );
  });

  test("an event that waits for a result or for the host opens at the earliest as if that took no time", () => {
    const show = [
      waiting("after_result", 4),
      waiting("after_result", 8),
      waiting("by_hand", 8),
      after(5, 10),
    ];
    expect(planTimes(show).map(({ opensAtSeconds, atLeast }) => [opensAtSeconds, atLeast])).toEqual([
      [4, false],
      [42, true],
      [72, true],
      [107, true],
    ]);
    expect([lengthText(show), lengthText(derby)]).toEqual(["at least 1:57", "5:42"]);
  });
});

describe("the texts of a plan", () => {
  test("the planned length ends with the last close", () => {
    expect(plannedSeconds(derby)).toBe(342);
    expect(plannedSeconds([])).toBe(0);
  });

  test.each([
    [0, "0:00"],
    [5, "0:05"],
    [840, "14:00"],
    [3_599, "59:59"],
    [3_720, "1:02:00"],
    [86_400, "24:00:00"],
  ])("%d seconds are formatted as %s", (seconds, text) => {
    expect(formatLength(seconds)).toBe(text);
  });

  test("a start is described as it was planned", () => {
    expect(startText(at(120, 30), 2)).toBe("at 2:00");
    expect(startText(after(0, 30), 4)).toBe("after 3");
    expect(startText(after(12, 30), 4)).toBe("0:12 after 3");
    expect(startText(after(0, 30), 1)).toBe("at 0:00");
    expect(startText(waiting("after_result", 8), 4)).toBe("0:08 after result of 3");
    expect(startText(waiting("after_result", 0), 4)).toBe("after result of 3");
    expect(startText(waiting("after_result", 8), 1)).toBe("at 0:08");
    expect(startText(waiting("by_hand", 8), 1)).toBe("by hand");
  });
});

describe("moving", () => {
  const abcd = ["a", "b", "c", "d"];
  test.each([
    [0, 2, "bcad"],
    [3, 0, "dabc"],
    [1, 1, "abcd"],
    [0, -1, "abcd"],
    [2, 9, "abdc"],
  ])("moving the item at %d to %d gives %s, and the list itself does not change", (from, to, moved) => {
    expect(moveItem(abcd, from, to).join("")).toBe(moved);
    expect(abcd.join("")).toBe("abcd");
  });

  test("a row is dropped at the position of its middle, whatever the heights of the rows", () => {
    const middles = [20, 60, 120, 180];
    expect([20, 59, 61, 121, 500, -9].map((middle) => indexAt(middles, 0, middle))).toEqual([
      0, 0, 1, 2, 3, 0,
    ]);
    expect([180, 119, 10].map((middle) => indexAt(middles, 3, middle))).toEqual([3, 2, 0]);
  });

  test("only the rows between make room", () => {
    const shifts = (held: { from: number; to: number }) => [0, 1, 2, 3].map((index) => shiftOf(index, held));
    expect(shifts({ from: 0, to: 2 })).toEqual([0, -1, -1, 0]);
    expect(shifts({ from: 3, to: 1 })).toEqual([0, 1, 1, 0]);
    expect(shifts({ from: 1, to: 1 })).toEqual([0, 0, 0, 0]);
  });

  test("items that an order does not contain are put last", () => {
    const things = [1, 2, 3, 4].map((id) => ({ id }));
    expect(inOrder(things, [3, 1, 9]).map(({ id }) => id)).toEqual([3, 1, 2, 4]);
  });
});
