import type { Deps } from "#src/base/deps.ts";
import { examineAll, lineOf } from "#src/operate/doctor/examination.ts";
import { examinations } from "#src/operate/doctor/examinations.ts";

/** What the start waits for, and what is watched, says itself what is wrong. */
const ownLines = new Set(
  examinations
    .filter(({ otherwise, watched }) => otherwise === "away" || watched === true)
    .map(({ what }) => what),
);

/** Tries once what the process needs, and logs a line for each thing that is not well. */
export async function reportExaminations(deps: Deps): Promise<void> {
  for (const result of await examineAll(deps, examinations)) {
    if (ownLines.has(result.what)) continue;
    if (result.state === "degraded") deps.log.error(lineOf(result));
    if (result.state === "advice") deps.log.warn(lineOf(result));
  }
}
