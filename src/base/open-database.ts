import type { Logger } from "pino";
import { connect, type DatabasePool } from "#db/client.ts";
import type { PoolChange } from "#db/pool/watched-pool.ts";
import type { Env } from "#src/settings/env.ts";
import { startStatement } from "./spans.ts";

// That it is away and back is said with the cause and the cure by what runs the checks (operate/checks/watch-checks.ts).
const lines: Partial<Record<PoolChange, string>> = {
  replaced: "connections to the database were dead and are replaced",
  moved: "another server of the database takes the writes; its connections are used",
};

/** Opens the pool of a process, and logs when its connections die without an error. Its statements are traced. */
export function openDatabase(
  { databaseUrl, databaseSilentMs }: Pick<Env, "databaseUrl" | "databaseSilentMs">,
  log: Logger,
): DatabasePool {
  return connect(databaseUrl, {
    silentAfterMs: databaseSilentMs,
    onChange: (change) => {
      const line = lines[change];
      if (line !== undefined) log.warn(line);
    },
    onStatement: startStatement,
    name: String(log.bindings()["name"]),
  });
}
