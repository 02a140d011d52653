import { spyOn } from "bun:test";
import type { Deps } from "#src/base/deps.ts";

/** Counts the statements and Redis commands that some work needs. */
export async function countReads(
  deps: Deps,
  work: () => Promise<unknown>,
): Promise<{ statements: number; commands: number }> {
  const statement = spyOn(deps.pool.sql, "unsafe");
  const command = spyOn(deps.redis, "sendCommand");
  try {
    await work();
    return { statements: statement.mock.calls.length, commands: command.mock.calls.length };
  } finally {
    statement.mockRestore();
    command.mockRestore();
  }
}
