import { scaleBand, scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import type { ArrivalsStep } from "#src/operate/health/schemas.ts";

/** The boxes of the drawings; they are stretched to the width of the panel. */
export const SPARK = { width: 240, height: 28 };
export const BARS = { width: 240, height: 44 };
const GAP = 0.25;

/** A line of calls a second. */
export type Spark = { line: string; area: string; peak: number };

/** The line through the calls of each second, oldest first. Null with fewer than two seconds: they make no line. */
export function drawSpark(perSecond: readonly number[]): Spark | null {
  if (perSecond.length < 2) return null;
  const peak = Math.max(...perSecond);
  const x = scaleLinear([0, perSecond.length - 1], [0, SPARK.width]);
  // At least one call high, so that silence is a line at the bottom.
  const y = scaleLinear([0, Math.max(1, peak)], [SPARK.height - 1, 2]);
  const across = (_: number, index: number) => x(index);
  const up = (calls: number) => y(calls);
  return {
    line: line<number>(across, up).digits(1)([...perSecond]) ?? "",
    area: area<number>(across, SPARK.height, up).digits(1)([...perSecond]) ?? "",
    peak,
  };
}

/** The money of one step: the true side at the bottom, the false side on it. */
export type Bar = { x: number; width: number; trueY: number; falseY: number; isLast: boolean };

/**
 * The money by the time before the close, which is at the right edge. While an event is open the rest of its time is empty.
 * @param arrivals from the opening on.
 */
export function drawBars(arrivals: readonly ArrivalsStep[], stepSeconds: number): Bar[] {
  const [first] = arrivals;
  if (first === undefined) return [];
  const steps = Math.max(1, Math.round(first.fromSeconds / stepSeconds));
  const x = scaleBand(
    Array.from({ length: steps }, (_, step) => step),
    [0, BARS.width],
  ).paddingInner(GAP);
  const highest = Math.max(1, ...arrivals.map(({ trueCents, falseCents }) => trueCents + falseCents));
  const y = scaleLinear([0, highest], [BARS.height, 0]);
  return arrivals.map(({ fromSeconds, trueCents, falseCents }) => {
    const step = steps - Math.round(fromSeconds / stepSeconds);
    return {
      x: rounded(x(step) ?? 0),
      width: rounded(x.bandwidth()),
      trueY: rounded(y(trueCents)),
      falseY: rounded(y(trueCents + falseCents)),
      isLast: step === steps - 1,
    };
  });
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
