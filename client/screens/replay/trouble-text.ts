import { ApiError } from "#client/base/api/api.ts";
import { refusalText } from "#client/ui/forms/refused.ts";
import { noAnswer } from "./replay-texts.ts";

/** Why something could not be fetched, for people. */
export function troubleText(error: unknown): string {
  return error instanceof ApiError ? refusalText(error) : noAnswer;
}
