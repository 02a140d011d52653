import * as v from "valibot";
import { invalid } from "#src/base/refusal.ts";
import { eventsOf } from "./plan-text/events-of.ts";
import { type PlanReading, problemsIn } from "./plan-text/plan-reading.ts";
import { readPlanText } from "./plan-text/read-plan-text.ts";
import { createBlueprintEventsBody } from "./schemas.ts";

/** So many problems are named; a text with more has something else wrong with it. */
const PROBLEMS_MAX = 50;

/**
 * Reads the text of an import, all or nothing.
 * @throws Refusal 422 that names the line of each action which cannot be added, and why.
 */
export function readImport(text: string): PlanReading {
  const reading = readPlanText(text);
  if (reading.fault !== null) throw invalid({ text: [reading.fault] });
  if (reading.lines.length === 0) throw invalid({ text: ["has no actions"] });
  const problems = reading.lines.flatMap((line) =>
    problemsIn(line).map((problem) => `line ${line.line}: ${problem}`),
  );
  if (problems.length > 0) throw invalid({ text: problems.slice(0, PROBLEMS_MAX) });
  return reading;
}

/**
 * The actions that were read, by the schema of the API.
 * @param existing how many actions the blueprint has already.
 */
export function importedEvents({ lines }: PlanReading, existing: number) {
  const { entries } = createBlueprintEventsBody;
  const parsed = v.safeParse(entries.blueprintEvents, eventsOf(lines, existing));
  if (parsed.success) return parsed.output;
  const problems = parsed.issues.map((issue) => {
    const [row, field] = issue.path ?? [];
    const line = typeof row?.key === "number" ? lines[row.key]?.line : undefined;
    const where = line === undefined ? "" : `line ${line}: `;
    return `${where}${typeof field?.key === "string" ? `${field.key} ` : ""}${issue.message}`;
  });
  throw invalid({ text: problems.slice(0, PROBLEMS_MAX) });
}
