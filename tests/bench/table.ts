/** A goal of the product's speed, and what was measured. */
export type Goal = {
  /** Unique in its bench. */
  what: string;
  bound: "at least" | "at most";
  limit: number;
  measured: number;
  /** `x` is a ratio to the baseline of the same run. Empty for a count. */
  unit: "x" | "ms" | "KB" | "KiB" | "MB" | "";
};

/** The result of a bench. The first row names the columns; the first column names what was measured. */
export type Table = {
  title: string;
  rows: readonly (readonly string[])[];
  goals?: readonly Goal[];
  notes: readonly string[];
};

type Measured = Pick<Goal, "what" | "measured" | "unit">;

/** The goal of a figure that should be high. */
export function atLeast(limit: number, measured: Measured): Goal {
  return { bound: "at least", limit, ...measured };
}

/** The goal of a figure that should be low. */
export function atMost(limit: number, measured: Measured): Goal {
  return { bound: "at most", limit, ...measured };
}

/** False for a figure that could not be measured. */
export function isMet({ bound, limit, measured }: Goal): boolean {
  return bound === "at least" ? measured >= limit : measured <= limit;
}

/** The value below which this share of the numbers lies: 0.5 is the median. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** `0.57 x`, `12 ms` */
export function showFigure(figure: number, unit: Goal["unit"]): string {
  return `${unit === "x" ? figure.toFixed(2) : show(figure)} ${unit}`.trim();
}

/** `at most 12 ms` */
export function showLimit({ bound, limit, unit }: Goal): string {
  return `${bound} ${showFigure(limit, unit)}`;
}

/** Formats a number with about three significant digits: `1,234` or `0.85`. */
export function show(number: number): string {
  const digits = Math.abs(number) >= 100 ? 0 : 2;
  return number.toLocaleString("en-US", { maximumFractionDigits: digits });
}

/** `1.20 x` */
export function showRatio(number: number): string {
  return `${number.toFixed(2)} x`;
}
