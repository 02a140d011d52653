import { describe, expect, test } from "bun:test";
import { BARS, drawBars, drawSpark, SPARK } from "#client/screens/show/health/pace-panel.tsx";

const step = (fromSeconds: number, trueCents: number, falseCents: number) => ({
  fromSeconds,
  calls: 1,
  true: trueCents / 100,
  trueCents,
  false: falseCents / 100,
  falseCents,
});

describe("the line of calls a second", () => {
  test("goes from the left edge to the right one, and its peak is at the top", () => {
    const spark = drawSpark([0, 4, 2]);
    expect(spark?.peak).toBe(4);
    expect(spark?.line).toBe(`M0,${SPARK.height - 1}L${SPARK.width / 2},2L${SPARK.width},14.5`);
  });
  test("is at the bottom where nobody calls", () => {
    expect(drawSpark([0, 0])?.line).toBe(`M0,${SPARK.height - 1}L${SPARK.width},${SPARK.height - 1}`);
  });
  test("needs two seconds", () => {
    expect(drawSpark([3])).toBeNull();
    expect(drawSpark([])).toBeNull();
  });
});

describe("the bars of the money before the close", () => {
  test("end at the close, and the last step is marked", () => {
    const bars = drawBars([step(3, 100, 0), step(2, 0, 0), step(1, 200, 200)], 1);
    expect(bars.map(({ isLast }) => isLast)).toEqual([false, false, true]);
    const last = bars[2];
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeCloseTo(BARS.width, 0);
    // The highest bar has the whole height; each side is half of it.
    expect(last).toMatchObject({ trueY: BARS.height / 2, falseY: 0 });
    expect(bars[0]).toMatchObject({ trueY: BARS.height * 0.75, falseY: BARS.height * 0.75 });
  });
  test("leave the time empty that an open event still has", () => {
    const bars = drawBars([step(10, 100, 0), step(9, 100, 0)], 1);
    expect(bars).toHaveLength(2);
    expect(bars[1]?.x).toBeLessThan(BARS.width / 4);
    expect(bars.some(({ isLast }) => isLast)).toBe(false);
  });
  test("are none before the opening", () => {
    expect(drawBars([], 1)).toEqual([]);
  });
});
