import type { Logger } from "pino";
import type { DatabasePool } from "#db/client.ts";
import type { Deps } from "#src/base/deps.ts";
import { type AtStart, type Check, lineOf, runChecks } from "#src/operate/checks/check.ts";
import { START_WITHIN_MS, startChecks, STARTS_WITHIN_MS } from "#src/operate/checks/checks.ts";
import { databaseChecks } from "#src/operate/checks/database-checks.ts";
import { refuseStart, waitAtStart } from "./refuse-start.ts";

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
  await waitAtStart(untilPrepared(pool, log));
}

/**
 * The same, and waits: for a process that could do nothing before. What it waits for is in the log, once for each reason.
 */
export async function untilPrepared(pool: DatabasePool, log: Logger): Promise<void> {
  let said: string | null = null;
  const startedAtMs = performance.now();
  for (;;) {
    const wrong = (await runChecks({ pool }, needed, START_WITHIN_MS)).filter(({ state }) => state !== "ok");
    const refused = wrong.find(({ severity }) => severity === "refused");
    if (refused !== undefined) {
      await refuseStart(`${refused.said} ${refused.cure}`.trim(), String(log.bindings()["name"]), pool);
    }
    const [first] = wrong;
    if (first === undefined) {
      if (said !== null) log.info("the database answers, and is prepared");
      return;
    }
    // All may be starting.
    const level = performance.now() - startedAtMs < STARTS_WITHIN_MS ? "info" : "error";
    const trouble = `The database cannot be used yet. ${lineOf(first)}`;
    if (`${level} ${trouble}` !== said) log[level](trouble);
    said = `${level} ${trouble}`;
    await Bun.sleep(RETRY_MS);
  }
}

/**
 * Tries once what the process needs, when its start has had its time, and logs a line for each thing that is not well. What the start waits
 * for says itself what is wrong.
 * @param redisUsable Redis may be away at the start: what should be otherwise about it is said once it can be used.
 */
export async function reportChecks(deps: Deps, redisUsable: Promise<void>): Promise<void> {
  const { redis = [], others = [] } = Object.groupBy(startChecks, ({ part }) =>
    part.startsWith("Redis") ? "redis" : "others",
  );
  await Bun.sleep(STARTS_WITHIN_MS);
  await Promise.all([report(deps, others), redisUsable.then(() => report(deps, redis))]);
}

async function report(deps: Deps, checks: readonly Check<AtStart>[]): Promise<void> {
  for (const result of await runChecks(deps, checks, START_WITHIN_MS)) {
    const { severity, check } = result;
    if (needed.some(({ part }) => part === check.part)) continue;
    if (severity === "degraded" || severity === "away") deps.log.error(lineOf(result));
    if (severity === "advice") deps.log.warn(lineOf(result));
  }
}
