import { ApiError } from "./api.ts";
import { textIn } from "./form-fields.ts";
import type { Refused } from "./refused.ts";
import type { FieldErrors } from "./ui/field.tsx";

/** The hidden field that says on which version of a thing its form is based. */
export const VERSION_FIELD = "version";

/** For the request that a form sends: it may change that version and no other. */
export function basedOn(form: FormData): { headers: Record<string, string> } {
  const version = textIn(form, VERSION_FIELD);
  return { headers: version === "" ? {} : { "if-match": `"${version}"` } };
}

/** True where somebody else was faster. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && error.body?.code === "stale_version";
}

/**
 * What a form shows then: beside what was typed, what somebody else has put there.
 * @param typed by the names that errors have.
 */
export function refusedAsStale(
  typed: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): Refused {
  const errors: FieldErrors = {};
  for (const [field, text] of Object.entries(now)) {
    if (text.trim() !== typed[field]?.trim())
      errors[field] = [text === "" ? "is empty now" : `is now “${text}”`];
  }
  const refusal =
    "Somebody changed this meanwhile. What is there now stands beside what you typed; save again to replace it.";
  return { refusal, errors };
}
