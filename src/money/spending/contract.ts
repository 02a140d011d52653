import type { BreakPeriod, StatementSum } from "#db/lists/spending.ts";
import { labelsOf } from "#src/base/contract.ts";
import { formatMoney } from "#src/http/contract.ts";

export const periodLabel = labelsOf<BreakPeriod>({
  day: "24 hours",
  week: "7 days",
  month: "30 days",
  half_year: "6 months (self-exclusion)",
  year: "1 year (self-exclusion)",
  five_years: "5 years (self-exclusion)",
});

/** What a statement and its file call each sum. */
export const sumLabel = labelsOf<StatementSum>({
  openingCents: "Balance before",
  depositedCents: "Paid in",
  takenBackCents: "Refunded or disputed",
  playMoneyCents: "Play money",
  wonCents: "Won",
  lostCents: "Lost",
  otherCents: "Other",
  closingCents: "Balance after",
});

/** How long a limit counts: "24 hours", "7 days". */
export const daysLabel = (days: number) => (days === 1 ? "24 hours" : `${days} days`);

/** What of a limit is not paid in yet, and may be free again sooner than any deposit: " $20.00 of it is in open checkouts, ..."; "" for nothing. */
export const openText = (openCents: number) =>
  openCents === 0
    ? ""
    : ` ${formatMoney(openCents)} of it is in open checkouts, and counts until they are paid or have ended.`;

/** A time in a sentence that the server writes: "3 Dec 2026 14:05 UTC", a minute late at most, so that it has come by then. */
export function inUtc(moment: Date): string {
  const minute = new Date(Math.ceil(moment.getTime() / 60_000) * 60_000);
  const [date = "", time = ""] = minute.toISOString().split("T");
  const month = minute.toLocaleString("en-GB", { month: "short", timeZone: "UTC" });
  return `${Number(date.slice(8))} ${month} ${date.slice(0, 4)} ${time.slice(0, 5)} UTC`;
}
