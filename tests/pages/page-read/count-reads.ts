import { spyOn } from "bun:test";
import type { Deps } from "#src/base/deps.ts";
import { countStatements } from "#tests/support/count-statements.ts";

/** Counts the statements and Redis commands that some work needs, without the pings by which a connection is watched. */
export async function countReads(
  deps: Deps,
  work: () => Promise<unknown>,
): Promise<{ statements: number; commands: number }> {
  const statements = countStatements(deps.pool);
  const command = spyOn(deps.redis, "sendCommand");
  try {
    await work();
    return { statements: statements.count(), commands: countCommands(command.mock.calls) };
  } finally {
    statements.stop();
    command.mockRestore();
  }
}

/** How many of these commands were sent for work: a connection also pings, by itself. */
export function countCommands(calls: readonly (readonly [{ name: string }, ...unknown[]])[]): number {
  return calls.filter(([{ name }]) => name !== "ping").length;
}
