import { spyOn } from "bun:test";
import type { Deps } from "#src/base/deps.ts";

/** Counts the statements and Redis commands that some work needs. */
export async function countReads(
  deps: Deps,
  work: () => Promise<unknown>,
): Promise<{ statements: number; commands: number }> {
  const { sql } = deps.pool;
  const unsafe = sql.unsafe.bind(sql);
  let statements = 0;
  sql.unsafe = (...statement) => {
    statements += 1;
    return unsafe(...statement);
  };
  const command = spyOn(deps.redis, "sendCommand");
  try {
    await work();
    return { statements, commands: command.mock.calls.length };
  } finally {
    sql.unsafe = unsafe;
    command.mockRestore();
  }
}
