/** The rest of the 600 is for the amounts beside the grid. */
export const PLOT_WIDTH = 520;
const TOP = 16;
const BOTTOM = 180;
const LINES_MIN = 2;
type Plot = {
  steps: string;
  area: string;
  end: { x: number; y: number };
  lines: { y: number; amountCents: number }[];
};

/**
 * The drawing of balances, oldest first, as steps in a box of 520 x 180.
 * @returns null where there are too few to draw.
 */
export function plotOf(balancesCents: readonly number[]): Plot | null {
  const [first] = balancesCents;
  if (first === undefined || balancesCents.length < 2) return null;
  const lowest = Math.min(...balancesCents);
  const highest = Math.max(...balancesCents);
  // Some room below the lowest; a flat line stands in the middle.
  const padCents = Math.max(Math.round((highest - lowest) * 0.15), 50);
  const yOf = (cents: number) =>
    round(BOTTOM - ((cents - lowest + padCents) / (highest - lowest + 2 * padCents)) * (BOTTOM - TOP));
  const stepWidth = PLOT_WIDTH / balancesCents.length;
  const rest = balancesCents
    .slice(1)
    .map((cents, index) => `H${round((index + 1) * stepWidth)}V${yOf(cents)}`);
  const steps = `M0 ${yOf(first)}${rest.join("")}H${PLOT_WIDTH}`;
  return {
    steps,
    area: `${steps}V${BOTTOM}H0Z`,
    end: { x: PLOT_WIDTH, y: yOf(balancesCents.at(-1) ?? first) },
    lines: gridOf(lowest - padCents, highest + padCents).map((amountCents) => ({
      y: yOf(amountCents),
      amountCents,
    })),
  };
}

/** Round amounts from one end to the other: the widest step of 1, 2 or 5 times a power of ten that leaves two lines. */
function gridOf(fromCents: number, toCents: number): number[] {
  for (let power = 10 ** Math.ceil(Math.log10(toCents - fromCents)); power >= 1; power /= 10) {
    for (const step of [5 * power, 2 * power, power]) {
      const first = Math.ceil(fromCents / step) * step;
      const count = Math.floor((toCents - first) / step) + 1;
      if (count >= LINES_MIN) return Array.from({ length: count }, (_, index) => first + index * step);
    }
  }
  return [];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
