import * as v from "valibot";
import { type FieldErrors, invalid } from "#src/base/refusal.ts";
import { issueText } from "./issue-text.ts";

/** A synchronous valibot schema. */
export type Schema = v.GenericSchema;

/** Nobody reads more; a body of nothing but mistakes must not be answered by a larger one. */
const FIELDS_MAX = 50;

/**
 * Parses a value by its schema. Refuses what does not match: 422 with the first error of every field.
 */
export function checkInput<S extends Schema>(schema: S, value: unknown): v.InferOutput<S> {
  const read = v.safeParse(schema, value, { message: issueText });
  if (read.success) return read.output;
  const found = read.issues.map((issue): [string, string] => [v.getDotPath(issue) ?? "body", issue.message]);
  const errors: FieldErrors = {};
  for (const [field, message] of [...found, ...unknownKeys(read.issues, schema)]) {
    if (Object.keys(errors).length === FIELDS_MAX) break;
    errors[field] ??= [message];
  }
  throw invalid(errors);
}

/** A schema reports only the first of the keys that it does not know: here are all of them. */
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
