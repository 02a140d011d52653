import { CENTS_PER_DOLLAR, snakeCase } from "#src/http/contract.ts";
import type { FieldErrors } from "../field.tsx";
import { FormRefusal } from "../forms/refused.ts";
import { type MoneyProblem, readMoney } from "./typed-money.ts";

// Typed dollars. Those about a field follow its label.
/** As the API says it. @param problems sentences without their points. */
const validationFailed = (problems: readonly string[]) => `Validation failed: ${problems.join(", ")}`;

/** In dollars, as the contracts have them. */
type Limits = { min: number; max: number };

/** Reads the amount that was typed, in dollars. @throws FormRefusal if it cannot be read, or is zero or outside the limits. */
export function typedDollars(amount: string, limits: Limits, others: FieldErrors = {}): number {
  const { dollars, errors } = checkDollars("amount", amount, limits);
  if (dollars === null) throw refuseTyped({ ...errors, ...others });
  return dollars;
}

/** The refusal of a form that is not sent: its message lists the errors, as that of the API does. */
export function refuseTyped(errors: FieldErrors): FormRefusal {
  const problems = Object.entries(errors).flatMap(([name, all]) =>
    all.map((problem) => `${capitalized(snakeCase(name).replaceAll("_", " "))} ${problem}`),
  );
  return new FormRefusal(validationFailed(problems), errors);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The amount of a form's field in dollars; or null, with the error that belongs below the field. */
export function checkDollars(
  name: string,
  text: string,
  limits: Limits,
): { dollars: number | null; errors: FieldErrors } {
  const amount = readMoney(text);
  const problem = typeof amount === "number" ? limitProblemOf(amount, limits) : problems[amount];
  if (problem !== null || typeof amount !== "number")
    return { dollars: null, errors: { [name]: [problem ?? ""] } };
  return { dollars: amount / CENTS_PER_DOLLAR, errors: {} };
}

function limitProblemOf(cents: number, { min, max }: Limits): string | null {
  if (cents === 0 && min < 0) return "can't be 0";
  if (cents < min * CENTS_PER_DOLLAR) return `must be greater than or equal to ${min}`;
  return cents > max * CENTS_PER_DOLLAR ? `must be less than or equal to ${max}` : null;
}

const problems: Record<MoneyProblem, string> = {
  blank: "can't be blank: type it like 12.50",
  decimals: "can have at most two digits after the point: type it like 12.50 or 1,250",
  unclear: "is not a number: type it like 12.50 or 1,250",
};
