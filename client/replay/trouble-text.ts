import { ApiError } from "../api.ts";
import { refusalText } from "../refused.ts";
import { noAnswer } from "./replay-texts.ts";

/** Why something could not be fetched, for people. */
export function troubleText(error: unknown): string {
  return error instanceof ApiError ? refusalText(error) : noAnswer;
}
