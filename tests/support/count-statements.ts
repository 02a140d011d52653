import type { DatabasePool } from "#db/client.ts";

/**
 * Counts the statements that a pool runs from now on, until `stop`. Those inside of transactions are not among them.
 * @param about a text that the counted statements contain.
 */
export function countStatements(
  { sql }: Pick<DatabasePool, "sql">,
  about = "",
): { count: () => number; stop: () => void } {
  const unsafe = sql.unsafe.bind(sql);
  let count = 0;
  sql.unsafe = (...statement) => {
    if (statement[0].includes(about)) count += 1;
    return unsafe(...statement);
  };
  return { count: () => count, stop: () => (sql.unsafe = unsafe) };
}
