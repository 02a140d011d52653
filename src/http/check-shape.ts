import * as v from "valibot";
import { issueText } from "./issue-text.ts";
import { type FieldErrors, invalid } from "./refusal.ts";

/** Any shape that is checked at once: no promises. */
export type Shape = v.GenericSchema;

/**
 * Reads a value in its shape. Refuses what does not fit: 422 with every field's first error.
 */
export function checkShape<S extends Shape>(schema: S, value: unknown): v.InferOutput<S> {
  const read = v.safeParse(schema, value, { message: issueText, abortPipeEarly: true });
  if (read.success) return read.output;
  const errors: FieldErrors = {};
  for (const issue of read.issues) {
    const field = v.getDotPath(issue) ?? "body";
    errors[field] ??= [issue.message];
  }
  throw invalid(errors);
}
