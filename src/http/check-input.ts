import * as v from "valibot";
import { type FieldErrors, invalid } from "#src/base/refusal.ts";

/** A synchronous valibot schema. */
export type Schema = v.GenericSchema;

/** A body full of mistakes must not produce an even larger answer. */
const FIELDS_MAX = 50;

/** Parses a value by its schema. Refuses an invalid value: 422 with the first error of every field. */
export function checkInput<S extends Schema>(schema: S, value: unknown): v.InferOutput<S> {
  const read = v.safeParse(schema, value, { message: issueText });
  if (read.success) return read.output;
  const issues = read.issues.map((issue): [string, string] => [v.getDotPath(issue) ?? "body", issue.message]);
  const errors: FieldErrors = {};
  for (const [field, message] of [...issues, ...unknownKeys(read.issues, schema)]) {
    if (Object.keys(errors).length === FIELDS_MAX) break;
    errors[field] ??= [message];
  }
  throw invalid(errors);
}

/** All unknown keys: a strict schema reports only the first of them. */
function unknownKeys(issues: readonly v.BaseIssue<unknown>[], schema: Schema): [string, string][] {
  const first = issues.find(({ expected, path }) => expected === "never" && path?.length === 1);
  const holder = first?.path?.[0].input;
  if (first === undefined || !isObject(holder) || !("entries" in schema)) return [];
  const { entries: known } = schema;
  if (!isObject(known)) return [];
  const unknown = Object.keys(holder).filter((key) => !Object.hasOwn(known, key));
  return unknown.map((key) => [key, first.message]);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The texts for invalid values, by the type of the issue. A message in the schema itself takes precedence. */
const texts: Record<string, (requirement: string) => string> = {
  number: () => "is not a number",
  to_number: () => "is not a number",
  integer: () => "must be an integer",
  safe_integer: () => "must be an integer",
  boolean: () => "is not a valid boolean",
  iso_timestamp: () => "is not a valid date",
  non_empty: () => "can't be blank",
  gt_value: (bound) => `must be greater than ${bound}`,
  min_value: (bound) => `must be greater than or equal to ${bound}`,
  lt_value: (bound) => `must be less than ${bound}`,
  max_value: (bound) => `must be less than or equal to ${bound}`,
  min_graphemes: (count) => `is too short (minimum is ${characters(count)})`,
  min_length: (count) => `is too short (minimum is ${characters(count)})`,
  max_length: (count) => `is too long (maximum is ${characters(count)})`,
  length: (count) => `is the wrong length (should be ${characters(count)})`,
};

/** The text that a player reads for one issue: "is too long (maximum is 25 characters)". */
function issueText(issue: v.BaseIssue<unknown>): string {
  const isMissing = issue.input === undefined && issue.expected !== "never";
  if (isMissing) return "is required";
  if (issue.input === null && issue.type === "string") return "can't be blank";
  return texts[issue.type]?.(String(issue.requirement)) ?? "is invalid";
}

function characters(count: string): string {
  return count === "1" ? "1 character" : `${count} characters`;
}
