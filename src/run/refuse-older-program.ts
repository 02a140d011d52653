import type { Logger } from "pino";
import type { DatabasePool } from "#db/client.ts";
import { readDatabaseState } from "#db/migrate.ts";

const WAIT_MS = 2_000;
const RETRY_MS = 1_000;

/**
 * Ends this process where its database belongs to a newer release, or to none of this program: it would write what that
 * release no longer understands. Returns once the database has answered. While the database is away the process goes on
 * after 2 s, and the check is repeated until it has answered.
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
    log.debug({ err: error }, "the database is away: its release is checked later");
    await Bun.sleep(RETRY_MS);
    await check(db, log);
  }
}
