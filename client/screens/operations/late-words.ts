import * as texts from "./operations-texts.ts";

const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_S = 3_600;
/** Seconds are said up to here, minutes up to the next. */
const SECONDS_BELOW = 100;
const MINUTES_BELOW_S = 2 * HOUR_S;

/** "4 s", "12 min", "3 h" */
export function lateTime(lateMs: number): string {
  const seconds = Math.floor(lateMs / SECOND_MS);
  if (seconds < 1) return texts.lessThanSecond;
  if (seconds < SECONDS_BELOW) return texts.seconds(seconds);
  if (seconds < MINUTES_BELOW_S) return texts.minutes(Math.round(seconds / MINUTE_S));
  return texts.hours(Math.round(seconds / HOUR_S));
}
