import type { Logger } from "pino";
import type { DatabasePool } from "#db/client.ts";
import { databaseExaminations } from "#src/operate/doctor/database-examinations.ts";
import { examineAll, lineOf } from "#src/operate/doctor/examination.ts";

const WAIT_MS = 2_000;
const RETRY_MS = 1_000;
/** What a process cannot do without. */
const needed = databaseExaminations.filter(
  ({ otherwise }) => otherwise === "refused" || otherwise === "away",
);

/**
 * Ends this process if the database cannot be used at all: its version, encoding or letters are others, or it belongs to a newer release
 * or to another program. Returns when it has answered and is prepared for this release. While it is away or not migrated the process
 * continues after 2 s, and the check is repeated until it is.
 */
export async function refuseOtherDatabase(pool: DatabasePool, log: Logger): Promise<void> {
  await Promise.race([untilPrepared(pool, log), Bun.sleep(WAIT_MS)]);
}

/**
 * The same, and waits: for a process that could do nothing before. What it waits for is in the log, once for each reason.
 */
export async function untilPrepared(pool: DatabasePool, log: Logger): Promise<void> {
  let said: string | null = null;
  for (;;) {
    const wrong = (await examineAll({ pool }, needed)).filter(({ state }) => state !== "ok");
    const refused = wrong.find(({ state }) => state === "refused");
    if (refused !== undefined) {
      process.stderr.write(`\n${`${refused.said} ${refused.cure}`.trim()}\n`);
      process.exit(1);
    }
    const [first] = wrong;
    if (first === undefined) {
      if (said !== null) log.info("the database answers, and is prepared");
      return;
    }
    const trouble = `The database cannot be used yet. ${lineOf(first)}`;
    if (trouble !== said) log.error(trouble);
    said = trouble;
    await Bun.sleep(RETRY_MS);
  }
}
