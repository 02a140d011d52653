import type { Deps } from "#src/base/deps.ts";
import { type Examination, examineAll, lineOf } from "#src/operate/doctor/examination.ts";
import { examinations } from "#src/operate/doctor/examinations.ts";

/** What the start waits for, and what is watched, says itself what is wrong. */
const ownLines = new Set(
  examinations
    .filter(({ otherwise, watched }) => otherwise === "away" || watched === true)
    .map(({ what }) => what),
);

/**
 * Tries once what the process needs, and logs a line for each thing that is not well.
 * @param redisUsable Redis may be away at the start: what should be otherwise about it is said once it can be used.
 */
export async function reportExaminations(deps: Deps, redisUsable: Promise<void>): Promise<void> {
  const { redis = [], others = [] } = Object.groupBy(examinations, ({ what }) =>
    what.startsWith("Redis") ? "redis" : "others",
  );
  await Promise.all([report(deps, others), redisUsable.then(() => report(deps, redis))]);
}

async function report(deps: Deps, some: readonly Examination[]): Promise<void> {
  for (const result of await examineAll(deps, some)) {
    if (ownLines.has(result.what)) continue;
    if (result.state === "degraded") deps.log.error(lineOf(result));
    if (result.state === "advice") deps.log.warn(lineOf(result));
  }
}
