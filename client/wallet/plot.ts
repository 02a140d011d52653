import { scaleLinear } from "d3-scale";
import { area, curveStepAfter, line } from "d3-shape";

/** The rest of the 600 is for the amounts beside the grid. */
const WIDTH = 520;
const TOP = 16;
const BOTTOM = 180;
const LINES = 4;
/** Room above and below, as a share of what is drawn; and at least half a dollar, so that a flat line stands in the middle. */
const ROOM = 0.15;
const ROOM_MIN_CENTS = 50;

type Point = { x: number; y: number };
/** A drawing, ready to be written as SVG: who draws it needs none of the code that made it. */
export type Plot = {
  width: number;
  steps: string;
  area: string;
  /** Where each movement is drawn: a balance stands from there to the next. */
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
  const roomCents = Math.max((highest - lowest) * ROOM, ROOM_MIN_CENTS);
  const x = scaleLinear([0, balancesCents.length], [0, WIDTH]);
  const y = scaleLinear([lowest - roomCents, highest + roomCents], [BOTTOM, TOP]);
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
