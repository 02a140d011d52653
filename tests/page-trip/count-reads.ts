import { spyOn } from "bun:test";
import type { Deps } from "#src/base/deps.ts";
import { countStatements } from "#tests/support/count-statements.ts";

/** Counts the statements and Redis commands that some work needs. */
export async function countReads(
  deps: Deps,
  work: () => Promise<unknown>,
): Promise<{ statements: number; commands: number }> {
  const statements = countStatements(deps.pool);
  const command = spyOn(deps.redis, "sendCommand");
  try {
    await work();
    return { statements: statements.count(), commands: command.mock.calls.length };
  } finally {
    statements.stop();
    command.mockRestore();
  }
}
