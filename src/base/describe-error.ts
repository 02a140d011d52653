import { DrizzleQueryError } from "drizzle-orm";
import { asTyped } from "./as-typed.ts";
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

/** What an operator does while the database is away, where its error says nothing better. */
export const DATABASE_AWAY_CURE =
  "Start Postgres, see what slows it, or correct DATABASE_URL. The processes reconnect by themselves.";

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

/** What an operator does about errors of servers and of the machine, by SQLSTATE or code. */
const cures: readonly [codes: RegExp, cure: string][] = [
  [
    /^42501$/,
    "The role in the address does not have this right. Commands need the owner of the tables: set MIGRATE_DATABASE_URL to its address. " +
      "If it is the role of the processes that serve, `bun run migrate` gives it its rights again.",
  ],
  [/^(42P01|42703|42883|3F000)$/, "If the database is not prepared for this release, run `bun run migrate`."],
  [
    /^(53300|ERR_POSTGRES_TOO_MANY_CONNECTIONS)$/,
    "All connections are in use. Raise max_connections of Postgres (each web process and each worker needs 20), or stop what does not " +
      "need them.",
  ],
  [
    /^(28P01|28000|ERR_POSTGRES_AUTHENTICATION_FAILED.*)$/,
    "Postgres does not accept this role with this password. Correct DATABASE_URL, or MIGRATE_DATABASE_URL.",
  ],
  [/^3D000$/, "Create the database, or correct its name in DATABASE_URL and MIGRATE_DATABASE_URL."],
  [
    /^(08P01|26000|42P05)$/,
    "If a PgBouncer stands before Postgres, add pgbouncer=true to DATABASE_URL, and name Postgres itself in MIGRATE_DATABASE_URL.",
  ],
  [/^57P03$/, "Postgres is starting or stopping. Try again in a moment."],
  [
    /^DATABASE_SILENT$/,
    "Postgres does not answer in time: it is stopped, frozen or overloaded, or the network between loses packets. Start it, see what slows " +
      "it (its load, its disk), or correct the host and the port in DATABASE_URL and MIGRATE_DATABASE_URL.",
  ],
  [
    /^ERR_POSTGRES_CONNECTION_(REFUSED|FAILED|TIMEOUT)$/,
    "Postgres does not answer there. Start it, or correct the host and the port in DATABASE_URL and MIGRATE_DATABASE_URL.",
  ],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "The host is not known. Correct it in the address."],
  [/^EAUTH$/, "The mail server refuses the user or the password in SMTP_URL. Correct them."],
  [
    /^(ESOCKET|ECONNECTION|EDNS|ETLS)$/,
    "The mail server cannot be reached there. Start it, or correct the host, the port and TLS in SMTP_URL.",
  ],
  [/^ECONNREFUSED$/, "Nothing listens at this address. Start the server, or correct the address."],
  [
    /^EPROTOCOL$/,
    "The mail server cannot be used. Correct SMTP_URL, or start the server; smtps:// is for TLS from the first byte, mostly port 465.",
  ],
  [/^ETIMEDOUT$/, "It does not answer in time. See whether it runs, what slows it, and the network between."],
  [/^(ENOSPC|53100)$/, "The disk is full. Make room."],
  [
    /^(EACCES|EPERM|EROFS|ENOTDIR|EEXIST)$/,
    "This user may not read or write there. Correct the owner or the mode, or name another place.",
  ],
  [
    /^AccessDenied$/,
    "The key of STORAGE needs the rights to read, write and delete objects of the bucket (s3:GetObject, s3:PutObject, s3:DeleteObject); that of BACKUP_TO s3:ListBucket too.",
  ],
  [
    /^(InvalidAccessKeyId|SignatureDoesNotMatch)$/,
    "The storage does not know this key. Correct it in STORAGE, or in the variables that it is read from.",
  ],
  [/^RequestTimeTooSkewed$/, "The clocks of this machine and of the storage differ. Set this one by NTP."],
  [/^NoSuchBucket$/, "Create the bucket, or correct its name in STORAGE."],
  [
    /^(PermanentRedirect|TemporaryRedirect|AuthorizationQueryParametersError|IllegalLocationConstraintException)$/,
    "The bucket is in another region. Add it to STORAGE: ?region=eu-west-1.",
  ],
  [/^NotS3$/, "Correct the host, the port and ?tls= in STORAGE, or the proxy before the storage."],
];

/** What an operator does about this very error, not about its causes; undefined where that is not known. */
function cureOf(error: Error): string | undefined {
  const codes = ["errno", "code"].map((name) => String(Reflect.get(error, name)));
  const cure = cures.find(([known]) => codes.some((code) => known.test(code)))?.[1];
  return cure === undefined ? undefined : asTyped(cure);
}
