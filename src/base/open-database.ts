import type { Logger } from "pino";
import { connect, type DatabasePool } from "#db/client.ts";
import type { PoolChange } from "#db/pool/watched-pool.ts";
import type { Env } from "#src/settings/env.ts";
import { startStatement } from "./spans.ts";

const lines: Record<PoolChange, string> = {
  silent: "the database does not answer; requests are refused until it does",
  replaced: "connections to the database were dead and are replaced",
  back: "the database answers again",
  moved: "another server of the database takes the writes; its connections are used",
};

/** Opens the pool of a process, and logs when its connections die without an error. Its statements are traced. */
export function openDatabase(
  { databaseUrl, databaseSilentMs }: Pick<Env, "databaseUrl" | "databaseSilentMs">,
  log: Logger,
): DatabasePool {
  return connect(databaseUrl, {
    silentAfterMs: databaseSilentMs,
    onChange: (change) => log.warn(lines[change]),
    onStatement: startStatement,
    name: String(log.bindings()["name"]),
  });
}
