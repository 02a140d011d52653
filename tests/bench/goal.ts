/** A goal of the product's speed, and what was measured. */
export type Goal = {
  /** Unique in its bench. */
  what: string;
  bound: "at least" | "at most";
  limit: number;
  measured: number;
  /** `x` is a ratio to the baseline of the same run. Empty for a count. */
  unit: "x" | "ms" | "s" | "KB" | "KiB" | "MB" | "";
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
