/** The periods of a player's own limits for deposits, in days. */
export const limitDays = [1, 7, 30] as const;
export type LimitDays = (typeof limitDays)[number];
/** The days that the site's limit counts. */
export const SITE_LIMIT_DAYS = 7;
/** The highest limit that a player sets. */
export const DEPOSIT_LIMIT_MAX_CENTS = 1_000_000;
/** A higher limit holds after this, and a second yes. */
export const RAISE_AFTER_HOURS = 24;
/** What was paid in and not used goes back within this time. */
export const RETURN_DAYS = 14;

/** Breaks, and from half a year on self-exclusions. The database knows how long they are (db/sql/triggers/breaks-triggers.sql). */
export const breakPeriods = ["day", "week", "month", "half_year", "year", "five_years"] as const;
export type BreakPeriod = (typeof breakPeriods)[number];
