/** The database is stopping, starting, out of something, or did not finish in time: 57P0x, 08xxx, 53xxx, 57014. */
const awayStates = /^(57P0[123]|57014|08...|53...)$/;
const awayCodes = new Set([
  "ERR_POSTGRES_CONNECTION_CLOSED",
  "ERR_POSTGRES_CONNECTION_FAILED",
  "ERR_POSTGRES_CONNECTION_REFUSED",
  "ERR_POSTGRES_CONNECTION_TIMEOUT",
  "ERR_POSTGRES_IDLE_TIMEOUT",
  "ERR_POSTGRES_LIFETIME_TIMEOUT",
]);
const CAUSES_MAX = 5;

/** True if the error, or what caused it, says that the database cannot be reached. */
export function isDatabaseAway(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth += 1) {
    if ("code" in cause && awayCodes.has(String(cause.code))) return true;
    if ("errno" in cause && awayStates.test(String(cause.errno))) return true;
    ({ cause } = cause);
  }
  return false;
}
