import { ApiError } from "#client/base/api/api.ts";
import { Unreachable } from "#client/base/api/request-with-retry.ts";
import type { FieldErrors } from "#client/ui/field.tsx";

const SIGNED_OUT = 401;

/** What a form shows when the API refuses it: a sentence, and the errors by field. */
export type Refused = { refusal: string; errors: FieldErrors };

/** A form that is refused before anything is sent, because of what was typed. */
export class FormRefusal extends Error {
  readonly errors: FieldErrors;

  constructor(message: string, errors: FieldErrors) {
    super(message);
    this.errors = errors;
  }
}

/** Turns an error into a refusal that the screen shows. @throws it again if it is none, or needs another page. */
export function refusedBy(error: unknown): Refused & { status: number } {
  if (error instanceof FormRefusal) return { status: 422, refusal: error.message, errors: error.errors };
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === SIGNED_OUT) throw error;
  return { status: error.status, refusal: refusalText(error), errors: error.body?.errors ?? {} };
}

/** The sentence for people if there is one, else the API's message. */
export function refusalText({ body, message }: ApiError): string {
  return body?.detail ?? sentences[body?.code ?? ""] ?? message;
}

/** True if the server did not answer, or answered 5xx: a retry may succeed. */
export function isTrouble(error: unknown): error is ApiError | Unreachable {
  return error instanceof Unreachable || (error instanceof ApiError && error.status >= 500);
}

const sentences: Record<string, string> = {
  insufficient_balance: "Your wallet has insufficient balance to cover this wager.",
};
