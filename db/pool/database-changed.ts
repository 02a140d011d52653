const CAUSES_MAX = 5;

/** SQLSTATEs with the texts that Postgres gives them where a statement meets what a migration has just replaced. */
const met: Readonly<Record<string, RegExp>> = {
  "0A000": /^cached plan must not change result type/,
  XX000:
    /^(cache lookup failed|could not open relation with OID|could not find tuple|tuple concurrently updated)/,
};

/** True if the error, or one of its causes, means that a migration has replaced what the statement had begun to use. */
export function isDatabaseChanged(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth += 1) {
    if ("errno" in cause && met[String(cause.errno)]?.test(cause.message) === true) return true;
    ({ cause } = cause);
  }
  return false;
}
