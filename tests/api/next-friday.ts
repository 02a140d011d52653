const FRIDAY = 5;
const DAYS_A_WEEK = 7;

/** The evening of the first Friday after today, in UTC: a start that is never over when a test reads it. */
export function nextFriday(now = new Date()): string {
  const evening = new Date(now);
  evening.setUTCDate(now.getUTCDate() + ((FRIDAY - now.getUTCDay() + DAYS_A_WEEK - 1) % DAYS_A_WEEK) + 1);
  evening.setUTCHours(20, 0, 0, 0);
  return evening.toISOString();
}
