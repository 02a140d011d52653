import * as v from "valibot";

/** The SQLSTATEs that the ledger's functions raise (db/sql/functions/refuse.sql), and their codes in TypeScript. */
const codes = {
  LK002: "key_reused",
  LK003: "wrong_state",
  LK005: "invalid_amount",
  LK006: "reason_required",
  LK009: "stale_lock",
  LK010: "on_break",
  LK011: "over_limit",
  LK404: "not_found",
} as const;

export type LedgerRefusalCode = (typeof codes)[keyof typeof codes];

/** An expected refusal by the ledger. Nothing has changed: the statement and its transaction are rolled back. */
export class LedgerRefusal extends Error {
  override readonly name = "LedgerRefusal";
  readonly code: LedgerRefusalCode;

  constructor(code: LedgerRefusalCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Drizzle wraps the error of Postgres; the SQLSTATE is the cause's `errno`. */
const postgresError = v.object({
  cause: v.object({
    errno: v.picklist(["LK002", "LK003", "LK005", "LK006", "LK009", "LK010", "LK011", "LK404"]),
    message: v.string(),
  }),
});

/** Turns an error from the database into its refusal; returns other errors as they are. */
export function asRefusal(error: unknown): unknown {
  const { success, output } = v.safeParse(postgresError, error);
  return success
    ? new LedgerRefusal(codes[output.cause.errno], output.cause.message, { cause: error })
    : error;
}
