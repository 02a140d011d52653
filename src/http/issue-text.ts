import type * as v from "valibot";

/** What is said where a value has the wrong shape or size; a schema's own message goes before these. */
const texts: Record<string, (requirement: string) => string> = {
  number: () => "is not a number",
  to_number: () => "is not a number",
  finite: () => "is not a number",
  integer: () => "must be an integer",
  safe_integer: () => "must be an integer",
  boolean: () => "is not a valid boolean",
  iso_timestamp: () => "is not a valid date",
  iso_date: () => "is not a valid date",
  non_empty: () => "can't be blank",
  gt_value: (bound) => `must be greater than ${bound}`,
  min_value: (bound) => `must be greater than or equal to ${bound}`,
  lt_value: (bound) => `must be less than ${bound}`,
  max_value: (bound) => `must be less than or equal to ${bound}`,
  min_length: (count) => `is too short (minimum is ${characters(count)})`,
  max_length: (count) => `is too long (maximum is ${characters(count)})`,
  length: (count) => `is the wrong length (should be ${characters(count)})`,
};

/** The sentence that a player reads for one thing wrong: "is too long (maximum is 25 characters)". */
export function issueText(issue: v.BaseIssue<unknown>): string {
  const isMissing = issue.input === undefined && issue.expected !== "never";
  if (isMissing) return "is required";
  if (issue.input === null && issue.type === "string") return "can't be blank";
  return texts[issue.type]?.(String(issue.requirement)) ?? "is invalid";
}

function characters(count: string): string {
  return count === "1" ? "1 character" : `${count} characters`;
}
