import { ApiError, Unreachable } from "../api.ts";
import { type Refused, refusedBy } from "../refused.ts";

const UNAVAILABLE = 503;
const SERVER_ERROR = 500;
const NOT_FOUND = 404;

/**
 * Reads what was thrown as a refusal that the form itself shows: whatever it is, what was typed must not be lost.
 * @throws the error again where somebody is signed out, or where it is a bug of this page.
 */
export function refusedInForm(error: unknown): Refused & { status: number } {
  if (error instanceof Unreachable) {
    return {
      status: UNAVAILABLE,
      refusal: "The server cannot be reached. Nothing was saved; what you typed is still here. Try again.",
      errors: {},
    };
  }
  if (error instanceof ApiError && error.status >= SERVER_ERROR) {
    const refusal = "Something went wrong on our side. Nothing was saved; what you typed is still here.";
    return { status: error.status, refusal, errors: {} };
  }
  const refused = refusedBy(error);
  if (refused.status !== NOT_FOUND) return refused;
  return { ...refused, refusal: "It is not there any more: somebody else deleted it. Load the page again." };
}
