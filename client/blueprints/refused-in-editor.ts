import { refusedInForm } from "../refused-in-form.ts";
import type { Refused } from "../refused.ts";
import * as texts from "./blueprints-texts.ts";

const NOT_FOUND = 404;

/** Turns an error into a refusal that the editor shows. A 404 means that another user has deleted it. */
export function refusedInEditor(error: unknown): Refused & { status: number } {
  const refused = refusedInForm(error);
  if (refused.status !== NOT_FOUND) return refused;
  return { ...refused, refusal: texts.deletedByOther };
}
