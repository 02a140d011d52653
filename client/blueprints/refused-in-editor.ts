import { refusedInForm } from "../refused-in-form.ts";
import type { Refused } from "../refused.ts";

const NOT_FOUND = 404;

/** Reads what was thrown as a refusal that the editor shows; what is gone was deleted by somebody else meanwhile. */
export function refusedInEditor(error: unknown): Refused & { status: number } {
  const refused = refusedInForm(error);
  if (refused.status !== NOT_FOUND) return refused;
  return { ...refused, refusal: "It is not there any more: somebody else deleted it. Load the page again." };
}
