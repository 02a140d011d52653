import { ApiError } from "./api.ts";
import { Unreachable } from "./reach.ts";
import { isTrouble, type Refused, refusalText, refusedBy } from "./refused.ts";

const UNAVAILABLE = 503;

/**
 * Reads what was thrown as a refusal that a form shows, also where the server is in trouble: what was typed must not be lost.
 * @throws the error again where somebody is signed out, or where it is a bug of this page.
 */
export function refusedInForm(error: unknown): Refused & { status: number } {
  if (!isTrouble(error)) return refusedBy(error);
  const status = error instanceof ApiError ? error.status : UNAVAILABLE;
  return { status, refusal: `${troubleText(error)} What you typed is still here.`, errors: {} };
}

/** What happened to the server, and what to do next. */
export function troubleText(error: ApiError | Unreachable): string {
  if (error instanceof Unreachable)
    return "No answer from the server. Look whether it was done, then try again.";
  if (error.status === UNAVAILABLE) return refusalText(error);
  return "Something went wrong on our side, and nothing was changed. Try again in a moment.";
}
