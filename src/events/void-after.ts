import { type SQL, sql } from "drizzle-orm";

/** A closed event that nobody resolves for so long after its session is over is voided and refunded. */
const VOID_AFTER_HOURS = 24;

/** When that happens, seen from a moment on the database's clock, ISO 8601. */
export function voidAfter(at: string): SQL {
  return sql`${at}::timestamptz + make_interval(hours => ${VOID_AFTER_HOURS}::int)`;
}
