import { scaleLinear } from "d3-scale";
import { area, curveStepAfter, line } from "d3-shape";

/** Of 600: the rest is for the amounts beside the grid. */
const WIDTH = 520;
const TOP = 16;
const BOTTOM = 180;
const LINES = 4;
/** The space above and below, as a share of the range, and at least half a dollar, so that a flat line is in the middle. */
const PADDING = 0.15;
const PADDING_MIN_CENTS = 50;

type Point = { x: number; y: number };
/** A finished drawing: rendering it as SVG needs no code of d3. */
export type Plot = {
  width: number;
  steps: string;
  area: string;
  /** Where each transaction is drawn. Its balance lasts until the next point. */
  points: readonly Point[];
  lines: readonly { y: number; amountCents: number }[];
};

/**
 * The drawing of balances, oldest first, as steps in a box of 520 x 180.
 * @returns null where there are too few to draw.
 */
export function plotOf(balancesCents: readonly number[]): Plot | null {
  const newest = balancesCents.at(-1);
  if (newest === undefined || balancesCents.length < 2) return null;
  const lowest = Math.min(...balancesCents);
  const highest = Math.max(...balancesCents);
  const paddingCents = Math.max((highest - lowest) * PADDING, PADDING_MIN_CENTS);
  const x = scaleLinear([0, balancesCents.length], [0, WIDTH]);
  const y = scaleLinear([lowest - paddingCents, highest + paddingCents], [BOTTOM, TOP]);
  const points = balancesCents.map((cents, index) => ({ x: x(index), y: y(cents) }));
  // The newest balance lasts until the end of the drawing.
  const drawn: Point[] = [...points, { x: WIDTH, y: y(newest) }];
  const across = (point: Point) => point.x;
  const up = (point: Point) => point.y;
  return {
    width: WIDTH,
    steps: line<Point>(across, up).curve(curveStepAfter).digits(1)(drawn) ?? "",
    area: area<Point>(across, BOTTOM, up).curve(curveStepAfter).digits(1)(drawn) ?? "",
    points,
    lines: y.ticks(LINES).map((amountCents) => ({ y: y(amountCents), amountCents })),
  };
}
