/** The periods of a player's own limits for deposits, in days. */
export const limitDays = [1, 7, 30] as const;
export type LimitDays = (typeof limitDays)[number];
/** The highest limit that a player sets. */
export const DEPOSIT_LIMIT_MAX_CENTS = 1_000_000;

/** Breaks, and from half a year on self-exclusions. The database knows how long they are (db/sql/triggers/breaks-triggers.sql). */
export const breakPeriods = ["day", "week", "month", "half_year", "year", "five_years"] as const;
export type BreakPeriod = (typeof breakPeriods)[number];

/** The sums of a statement. The opening balance and those between make the closing balance. */
export const statementSums = [
  "openingCents",
  "depositedCents",
  // Below 0: refunds and disputes, without those that came back.
  "takenBackCents",
  "playMoneyCents",
  "wonCents",
  // Below 0.
  "lostCents",
  // Adjustments, debts, and what merged guests have won.
  "otherCents",
  "closingCents",
] as const;
export type StatementSum = (typeof statementSums)[number];
