import { DrizzleQueryError } from "drizzle-orm";
import { cureOf } from "./error-cures.ts";
import { Refusal } from "./refusal.ts";

/** An error as the log writes it. */
export type LoggedError = {
  type: string;
  message: string;
  /** What an operator does about it, where that is known. */
  cure?: string;
  stack?: string;
  cause?: LoggedError;
  [field: string]: unknown;
};

/** What a driver says about an error beside its message. Its other fields (params, detail, where) repeat values of rows. */
const fields = [
  "code",
  "errno",
  "syscall",
  "severity",
  "schema",
  "table",
  "column",
  "constraint",
  "routine",
  "status",
];
const CAUSES_MAX = 5;

type Options = {
  /** Whether it also says which statement has failed, for those who look for a bug. */
  withQuery?: boolean;
  causesMax?: number;
};

/**
 * Describes an error without the values that it was about: drizzle adds the parameters of a statement to its message, and
 * Postgres the value that it could not read: they may be mails, tokens and hashes. A statement that has failed is described by what the
 * database says about it.
 */
export function describeError(error: unknown, options: Options = {}): LoggedError {
  const { withQuery = false, causesMax = CAUSES_MAX } = options;
  if (!(error instanceof Error)) return { type: typeof error, message: hideValues(String(error)) };
  if (error instanceof DrizzleQueryError && error.cause !== undefined) {
    const described = describeError(error.cause, options);
    // Where the statement was run; the driver does not know.
    const stack = stackOf(described, error);
    return { ...described, stack, ...(withQuery && { query: hideValues(error.query) }) };
  }
  const message = withoutValues(error);
  const cure = cureOf(error);
  const described = { type: error.name, message, ...(cure !== undefined && { cure }) };
  return {
    ...described,
    stack: stackOf(described, error),
    ...fieldsOf(error),
    ...(error.cause !== undefined &&
      causesMax > 0 && { cause: describeError(error.cause, { withQuery, causesMax: causesMax - 1 }) }),
  };
}

/**
 * An error as a text for operators: what is wrong, and below it the cure where it is known. What a refusal says is for players; its
 * cause is what is wrong.
 */
export function explainError(error: unknown): string {
  const wrong = error instanceof Refusal && error.cause !== undefined ? error.cause : error;
  const { message, cure } = describeError(wrong);
  return cure === undefined ? message : `${message}\n${cure}`;
}

function fieldsOf(error: Error): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  for (const name of fields) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === "string" || typeof value === "number") known[name] = value;
  }
  return known;
}

function stackOf({ type, message, cure }: LoggedError, error: Error): string {
  return [`${type}: ${message}`, ...(cure === undefined ? [] : [cure]), framesOf(error.stack ?? "")].join(
    "\n",
  );
}

/**
 * A mail address. The part before the @ is bounded, as in the standard: each line of the log is searched, and a stranger may have
 * written a part of it, so each letter of a long word would be tried as the first of an address, up to the end of the word.
 */
const EMAIL = /[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]+(?:\.[\w-]+)+/g;

/**
 * Hides in any text what nobody should read in a log: mail addresses, and passwords in addresses of servers.
 * Example: `550 no such user <ana@example.test>` becomes `550 no such user <[email]>`.
 */
export function hideValues(text: string): string {
  return text.replaceAll(/(:\/\/[^\s:/@"]*):[^\s/@"]+@/g, "$1:[hidden]@").replaceAll(EMAIL, "[email]");
}

function withoutValues(error: Error): string {
  const [statement = ""] = error.message.split("\nparams:");
  // Class 22 of SQLSTATE: a value could not be read. The value is the end of the message.
  const isDataError = String(Reflect.get(error, "errno")).startsWith("22");
  return hideValues(isDataError ? statement.replace(/: ".*$/s, ": [hidden]") : statement);
}

/** The lines of a stack that say where; those before them repeat the message. */
function framesOf(stack: string): string {
  return stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n");
}
