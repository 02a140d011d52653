import { CENTS_PER_DOLLAR } from "#src/http/contract.ts";

/** Why a typed amount cannot be read: nothing was typed, it has more than two digits after the point, or it is no clear amount. */
export type MoneyProblem = "blank" | "decimals" | "unclear";

/** A minus sign as keyboards type it, and as texts print it. */
const MINUS = /^[-\u2212]/;
const AMOUNT =
  /^[-+\u2212]? ?\$? ?(?<whole>\d*|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?: \d{3})+)(?<rest>[.,]\d{0,2})? ?\$?$/;
const TOO_MANY_DECIMALS = /^[-+\u2212]? ?\$? ?[\d, ]*\.\d{3,}$/;

/**
 * Reads an amount of dollars that a person has typed. All forms with money use it, with and without JavaScript.
 *
 * - "42", "$42", "5 $", "12.5", "12.50", " 7 ", ".5": up to two digits after the point, with a dollar sign or without.
 * - "1,000", "1,234.50", "5 000": a comma or a space before each three digits, as in our own format.
 * - "12,5", "12,50": one or two digits after a single comma are cents. Many keyboards have a comma and no point, and no
 *   thousands look so.
 * - "-5", "-$5.00", "+5": a sign comes first. Where an amount must be above 0, the caller refuses the others.
 *
 * What could be read in two ways is refused and not guessed, so that nobody pays more or less than was meant: "1.000" (1,000 or
 * 1), "2.555", "0,500", "1,00,000", "1.234,50", "12 5". So is everything else: "abc", "1e3", "$", "5 dollars".
 * @returns whole cents, or why the text cannot be read. Amounts that are too large to be exact are the largest safe integer,
 *   which no form takes.
 */
export function readMoney(text: string): number | MoneyProblem {
  const typed = text.trim().replaceAll(/\s/g, " ");
  if (typed === "") return "blank";
  const parts = partsOf(typed);
  if (parts === null) return TOO_MANY_DECIMALS.test(typed) ? "decimals" : "unclear";
  const exact = Number(parts.dollars) * CENTS_PER_DOLLAR + Number(parts.decimals.padEnd(2, "0"));
  const cents = Math.min(exact, Number.MAX_SAFE_INTEGER);
  return cents > 0 && MINUS.test(typed) ? -cents : cents;
}

/** The digits before and after the point; null if it is not clear which these are. */
function partsOf(typed: string): { dollars: string; decimals: string } | null {
  const { whole = "", rest = "" } = AMOUNT.exec(typed)?.groups ?? {};
  const decimals = rest.slice(1);
  // After the commas of thousands another one is no decimal comma, and at the end it may be one of the next thousand.
  if (rest.startsWith(",") && (decimals === "" || whole.includes(","))) return null;
  return whole + decimals === "" ? null : { dollars: whole.replaceAll(/\D/g, ""), decimals };
}

/** An amount as a person types it: "7", "12.50". `readMoney` reads the same amount from it. */
export function typedMoney(cents: number): string {
  const dollars = cents / CENTS_PER_DOLLAR;
  return cents % CENTS_PER_DOLLAR === 0 ? String(dollars) : dollars.toFixed(2);
}
