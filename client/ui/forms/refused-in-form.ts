import { data } from "react-router";
import { ApiError } from "#client/base/api/api.ts";
import { Unreachable } from "#client/base/api/request-with-retry.ts";
import type { Refused } from "./refused.ts";
import { isTrouble, refusalText, refusedBy } from "./refused.ts";

/** Turns an error into a refusal that a form shows, also without an answer. @throws it again for signed out, and for bugs. */
export function refusedInForm(error: unknown): Refused & { status: number } {
  if (!isTrouble(error)) return refusedBy(error);
  const status = error instanceof ApiError ? error.status : 503;
  return { status, refusal: `${troubleText(error)} What you typed is still here.`, errors: {} };
}

/** What happened, and what the user can do next. */
export function troubleText(error: ApiError | Unreachable): string {
  if (error instanceof Unreachable)
    return "No answer from the server. Look whether it was done, then try again.";
  if (error.status === 503) return refusalText(error);
  return "Something went wrong on our side, and nothing was changed. Try again in a moment.";
}

/** Answers a refused form with its status and what was `typed`. */
export function refuseForm<Shown extends Refused>(
  error: unknown,
  typed: Omit<Shown, keyof Refused>,
): ReturnType<typeof data<Shown>> {
  const { status, ...refused } = refusedInForm(error);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Shown` is a refusal and `typed`, which a spread of generics does not say.
  return data({ ...refused, ...typed } as Shown, { status });
}
