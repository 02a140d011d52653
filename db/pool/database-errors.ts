/** The database has not answered for so long that its connections are given up. What was sent may have been done. */
export class DatabaseSilent extends Error {
  readonly code = "DATABASE_SILENT";
  constructor() {
    super("the database does not answer");
  }
}

/**
 * SQLSTATEs: starting, stopping, dropped or idle for too long (57P0x), connection failed (08xxx) or refused, because of the password (28xxx)
 * or the name of the database (3D000), out of resources (53xxx), timed out (57014, in a transaction 25P03 and 25P04), and a server that
 * takes no writes, because another one does by now (25006).
 */
const awayStates = /^(57P0[1-5]|57014|08...|28...|3D000|53...|25006|25P0[34])$/;
const awayCodes = new Set([
  "DATABASE_SILENT",
  "ERR_POSTGRES_CONNECTION_CLOSED",
  "ERR_POSTGRES_CONNECTION_FAILED",
  "ERR_POSTGRES_CONNECTION_REFUSED",
  "ERR_POSTGRES_CONNECTION_TIMEOUT",
  "ERR_POSTGRES_IDLE_TIMEOUT",
  "ERR_POSTGRES_LIFETIME_TIMEOUT",
  "TLS_REFUSED",
]);
/** SQLSTATEs with the texts that Postgres gives them where a statement meets what a migration has just replaced. */
const changedTexts: Readonly<Record<string, RegExp>> = {
  "0A000": /^cached plan must not change result type/,
  XX000:
    /^(cache lookup failed|could not open relation with OID|could not find tuple|tuple concurrently updated)/,
};
const CAUSES_MAX = 5;

/** True if the error, or one of its causes, means that the database is unavailable. */
export function isDatabaseAway(error: unknown): boolean {
  return causesOf(error).some(
    (cause) => awayCodes.has(textOf(cause, "code")) || awayStates.test(textOf(cause, "errno")),
  );
}

/** True for a statement that was refused because an earlier one of its transaction has failed. */
export function isAborted(error: unknown): boolean {
  return causesOf(error).some((cause) => textOf(cause, "errno") === "25P02");
}

/** True if the error, or one of its causes, means that the database writes nothing: its disk is full, or another server does by now. */
export function takesNoWrites(error: unknown): boolean {
  return causesOf(error).some((cause) => /^(53100|25006)$/.test(textOf(cause, "errno")));
}

/** True if the error, or one of its causes, means that a migration has replaced what the statement had begun to use. */
export function isDatabaseChanged(error: unknown): boolean {
  return causesOf(error).some((cause) => changedTexts[textOf(cause, "errno")]?.test(cause.message) === true);
}

/** The error and its causes. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < CAUSES_MAX; { cause } = cause)
    causes.push(cause);
  return causes;
}

function textOf(error: Error, name: "code" | "errno"): string {
  return String(Reflect.get(error, name));
}
