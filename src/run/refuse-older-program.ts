import type { Logger } from "pino";
import type { DatabasePool } from "#db/client.ts";
import { readDatabaseState } from "#db/migrate.ts";
import { explainError } from "#src/base/describe-error.ts";

const WAIT_MS = 2_000;
const RETRY_MS = 1_000;
const NOT_MIGRATED = "The database is not prepared for this release. Run `bun run migrate`.";

/**
 * Ends this process if the database belongs to a newer release or to another program, because it could write data that they do
 * not understand. Returns when the database has answered and is prepared for this release. While it is away or not migrated the
 * process continues after 2 s, and the check is repeated until it is.
 */
export async function refuseOlderProgram(pool: DatabasePool, log: Logger): Promise<void> {
  await Promise.race([untilPrepared(pool, log), Bun.sleep(WAIT_MS)]);
}

/**
 * The same, and waits: for a process that could do nothing before. What it waits for is in the log, once for each reason.
 */
export async function untilPrepared({ db }: DatabasePool, log: Logger): Promise<void> {
  let said: string | null = null;
  for (;;) {
    const trouble = await findTrouble(db);
    if (trouble === null) {
      if (said !== null) log.info("the database answers, and is prepared");
      return;
    }
    if (trouble !== said) log.error(trouble);
    said = trouble;
    await Bun.sleep(RETRY_MS);
  }
}

/** Why the database cannot be used yet, with the cure; null if it can. */
async function findTrouble(db: DatabasePool["db"]): Promise<string | null> {
  try {
    const { refused, pendingMigrations, sql } = await readDatabaseState(db);
    if (refused !== null) {
      process.stderr.write(`\n${refused.message}\n`);
      process.exit(1);
    }
    return pendingMigrations.length === 0 && sql !== "pending" ? null : NOT_MIGRATED;
  } catch (error) {
    return `The database is away. ${explainError(error)}`;
  }
}
