import { ApiError } from "./api.ts";
import { Unreachable } from "./reach.ts";
import type { FieldErrors } from "./ui/field.tsx";

const SIGNED_OUT = 401;
const SERVER_ERROR = 500;

/** What a form shows when the API refuses what it sent: the sentence, and what is wrong by field. */
export type Refused = { refusal: string; errors: FieldErrors };

/**
 * Reads what was thrown as a refusal that the page itself shows.
 * @throws the error again where it is none, or the page must answer it: signed out, or the server is in trouble.
 */
export function refusedBy(error: unknown): Refused & { status: number } {
  if (!(error instanceof ApiError) || error.status >= SERVER_ERROR || error.status === SIGNED_OUT)
    throw error;
  return { status: error.status, refusal: refusalText(error), errors: error.body?.errors ?? {} };
}

/** The sentence for people where there is one, else what the API says. */
export function refusalText({ body, message }: ApiError): string {
  return body?.detail ?? sentences[body?.code ?? ""] ?? message;
}

/** True where the server did not answer, or could not: the same may go well in a moment. */
export function isTrouble(error: unknown): error is ApiError | Unreachable {
  return error instanceof Unreachable || (error instanceof ApiError && error.status >= SERVER_ERROR);
}

const sentences: Record<string, string> = {
  insufficient_balance: "Your available balance does not cover this wager.",
};
