import * as v from "valibot";
import { invalid } from "#src/base/refusal.ts";
import { START_DEFAULT, WAIT_DEFAULT_SECONDS } from "#src/show/events/contract.ts";
import { judgeTexts, type PlanEvent } from "./plan-text/judge-texts.ts";
import { type LeftOut, type PlanReading, problemsIn } from "./plan-text/plan-reading.ts";
import { readPlanText } from "./plan-text/read-plan-text.ts";
import { createBlueprintEventsBody } from "./schemas.ts";

/** So much of a line is shown that was left out. */
const LEFT_OUT_LENGTH_MAX = 200;
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

/** What of a text that was imported is no action, or has no place in one. */
export function leftOutOf(text: string): LeftOut[] {
  const { leftOut } = readPlanText(text);
  return leftOut.map((left) => ({ ...left, text: left.text.slice(0, LEFT_OUT_LENGTH_MAX) }));
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

/**
 * The actions to add, with the pace of a new action where none is given: the first of a blueprint opens with the session, each
 * other one some time after the result of the one before it.
 */
function eventsOf(lines: PlanReading["lines"], existing: number): PlanEvent[] {
  return lines.map(({ texts }, index) => {
    const { event } = judgeTexts(texts);
    const isFirst = existing + index === 0;
    const { startMode = isFirst ? undefined : START_DEFAULT, offsetSeconds } = event;
    const follows = startMode === "after_previous" || startMode === "after_result";
    const wait = follows && !isFirst ? WAIT_DEFAULT_SECONDS : 0;
    return { ...event, ...(startMode !== undefined && { startMode }), offsetSeconds: offsetSeconds ?? wait };
  });
}
