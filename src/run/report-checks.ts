import type { Deps } from "#src/base/deps.ts";
import { type AtStart, type Check, lineOf, runChecks } from "#src/operate/checks/check.ts";
import { START_WITHIN_MS, startChecks } from "#src/operate/checks/checks.ts";

/**
 * Tries once what the process needs, and logs a line for each thing that is not well. What the start waits for, and what is watched by
 * another part of the program, says itself what is wrong.
 * @param redisUsable Redis may be away at the start: what should be otherwise about it is said once it can be used.
 */
export async function reportChecks(deps: Deps, redisUsable: Promise<void>): Promise<void> {
  const { redis = [], others = [] } = Object.groupBy(startChecks, ({ part }) =>
    part.startsWith("Redis") ? "redis" : "others",
  );
  await Promise.all([report(deps, others), redisUsable.then(() => report(deps, redis))]);
}

async function report(deps: Deps, checks: readonly Check<AtStart>[]): Promise<void> {
  for (const result of await runChecks(deps, checks, START_WITHIN_MS)) {
    const { severity, check } = result;
    if (check.severity === "away" || check.logged === true) continue;
    if (severity === "degraded") deps.log.error(lineOf(result));
    if (severity === "advice") deps.log.warn(lineOf(result));
  }
}
