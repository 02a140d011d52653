import { refusedInForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";

/** Turns an error into a refusal that the editor shows. A 404 means that another user has deleted it. */
export function refusedInEditor(error: unknown): Refused & { status: number } {
  const refused = refusedInForm(error);
  if (refused.status !== 404) return refused;
  return { ...refused, refusal: "It is not there any more: somebody else deleted it. Load the page again." };
}
