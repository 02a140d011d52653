import { ApiError } from "#client/base/api/api.ts";
import type { FieldErrors } from "#client/ui/field.tsx";
import { readForm } from "./read-form.ts";
import type { Refused } from "./refused.ts";

/** The hidden field with the version of the resource that the form is based on. */
export const VERSION_FIELD = "version";

/** `If-Match` for the request that a form sends: the API refuses it if the version has changed. */
export function ifMatchHeaders(form: FormData): { headers: Record<string, string> } {
  const { version } = readForm(form, { [VERSION_FIELD]: "text" });
  return { headers: version === "" ? {} : { "if-match": `"${version}"` } };
}

/** True if another user changed the resource first. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && error.body?.code === "stale_version";
}

/**
 * What a form shows after such a conflict: the current values beside the typed ones.
 * @param typed the form's texts, by the names that errors use.
 * @param current the texts as they are saved now, by the same names.
 */
export function staleRefusal(
  typed: Readonly<Record<string, string>>,
  current: Readonly<Record<string, string>>,
): Refused {
  const errors: FieldErrors = {};
  for (const [field, text] of Object.entries(current)) {
    if (text.trim() !== typed[field]?.trim())
      errors[field] = [text === "" ? "is empty now" : `is now “${text}”`];
  }
  const refusal =
    "Somebody changed this meanwhile. The current value is beside what you typed; save again to replace it.";
  return { refusal, errors };
}
