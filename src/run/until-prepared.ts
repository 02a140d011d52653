import type { Logger } from "pino";
import type { DatabasePool } from "#db/client.ts";
import { lineOf, runChecks } from "#src/operate/checks/check.ts";
import { START_WITHIN_MS } from "#src/operate/checks/checks.ts";
import { databaseChecks } from "#src/operate/checks/database-checks.ts";

const WAIT_MS = 2_000;
const RETRY_MS = 1_000;
/** What a process cannot do without. */
const needed = databaseChecks.filter(
  ({ at, severity }) => at.includes("start") && (severity === "refused" || severity === "away"),
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
    const wrong = (await runChecks({ pool }, needed, START_WITHIN_MS)).filter(({ state }) => state !== "ok");
    const refused = wrong.find(({ severity }) => severity === "refused");
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
