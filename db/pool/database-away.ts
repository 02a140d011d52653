/**
 * SQLSTATEs: starting, stopping or idle for too long (57P0x), connection failed (08xxx), out of resources (53xxx), timed out (57014,
 * in a transaction 25P03 and 25P04), and a server that takes no writes, because another one does by now (25006).
 */
const unavailableStates = /^(57P0[1235]|57014|08...|53...|25006|25P0[34])$/;
const unavailableCodes = new Set([
  "DATABASE_SILENT",
  "ERR_POSTGRES_CONNECTION_CLOSED",
  "ERR_POSTGRES_CONNECTION_FAILED",
  "ERR_POSTGRES_CONNECTION_REFUSED",
  "ERR_POSTGRES_CONNECTION_TIMEOUT",
  "ERR_POSTGRES_IDLE_TIMEOUT",
  "ERR_POSTGRES_LIFETIME_TIMEOUT",
  "TLS_REFUSED",
]);
const CAUSES_MAX = 5;

/** True if the error, or one of its causes, means that the database is unavailable. */
export function isDatabaseAway(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth += 1) {
    if ("code" in cause && unavailableCodes.has(String(cause.code))) return true;
    if ("errno" in cause && unavailableStates.test(String(cause.errno))) return true;
    ({ cause } = cause);
  }
  return false;
}
