import type { Logger } from "pino";
import type { DatabasePool } from "#db/client.ts";
import { readDatabaseState } from "#db/migrate.ts";

const WAIT_MS = 2_000;
const RETRY_MS = 1_000;

/**
 * Ends this process if the database belongs to a newer release or to another program, because it could write data that they do
 * not understand. Returns when the database has answered. While the database is away the process continues after 2 s, and the
 * check is repeated until the database answers.
 */
export async function refuseOlderProgram({ db }: DatabasePool, log: Logger): Promise<void> {
  await Promise.race([check(db, log), Bun.sleep(WAIT_MS)]);
}

async function check(db: DatabasePool["db"], log: Logger): Promise<void> {
  try {
    const { refused } = await readDatabaseState(db);
    if (refused === null) return;
    process.stderr.write(`\n${refused.message}\n`);
    process.exit(1);
  } catch (error) {
    log.debug({ err: error }, "the database is away; its release is checked later");
    await Bun.sleep(RETRY_MS);
    await check(db, log);
  }
}
