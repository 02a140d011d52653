import { promises as dns } from "node:dns";

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
  "NAME_UNKNOWN",
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

/** True if the error, or one of its causes, means that the role lacks a right. */
export function lacksRight(error: unknown): boolean {
  return causesOf(error).some((cause) => textOf(cause, "errno") === "42501");
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

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < CAUSES_MAX; { cause } = cause)
    causes.push(cause);
  return causes;
}

function textOf(error: Error, name: "code" | "errno"): string {
  return String(Reflect.get(error, name));
}

const cures: Record<string, string> = {
  CERT_HAS_EXPIRED: "its certificate has expired. Renew it at the server.",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "its certificate is for another name. Connect by a name that the certificate has, or give the server one for this name.",
  ERR_POSTGRES_TLS_NOT_AVAILABLE:
    "it has no TLS. Set ssl = on there, or leave out sslmode in a network that is trusted.",
};
const UNKNOWN_AUTHORITY =
  "its certificate is signed by an authority that is not trusted. Name the file with the right one in the address: " +
  "?sslrootcert=/path/ca.pem.";
const unknownAuthority =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER|VERIFY).*)$/;

/** A server was not connected to, because its TLS is not what the address asks for. The message says what to change. */
class TlsRefused extends Error {
  override readonly name = "TlsRefused";
  readonly code = "TLS_REFUSED";
}

/** An error of a connection with its cure, if it is about TLS; otherwise null. `server` names it: "Postgres". */
export function tlsRefusal(error: unknown, server: string): TlsRefused | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  const code = String(error.code);
  const cure = unknownAuthority.test(code) ? UNKNOWN_AUTHORITY : cures[code];
  return cure === undefined ? null : new TlsRefused(`${server} is not used: ${cure}`, { cause: error });
}

/** A name that is looked up for longer says nothing. */
const LOOKUP_WITHIN_MS = 500;

/**
 * An error of a connection with its cure, if nobody knows the name of the server, of which Bun says that it refuses connections; otherwise
 * null. @param url the server's.
 */
export async function nameUnknown(error: unknown, url: string | URL | undefined): Promise<Error | null> {
  const isRefused = error instanceof Error && textOf(error, "code") === "ERR_POSTGRES_CONNECTION_REFUSED";
  if (!isRefused || url === undefined) return null;
  const { hostname } = new URL(url);
  const looked = dns.lookup(hostname.replaceAll(/[[\]]/g, "")).then(
    () => false,
    (failed: unknown) => failed instanceof Error && /^(ENOTFOUND|EAI_AGAIN)$/.test(textOf(failed, "code")),
  );
  if (!(await Promise.race([looked, Bun.sleep(LOOKUP_WITHIN_MS).then(() => false)]))) return null;
  const message =
    `Postgres is not used: the name ${hostname} is not known. Correct it in DATABASE_URL and MIGRATE_DATABASE_URL, or the names that this ` +
    "machine knows.";
  return Object.assign(new Error(message, { cause: error }), { code: "NAME_UNKNOWN" });
}
