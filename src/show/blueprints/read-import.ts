import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { invalid } from "#src/base/refusal.ts";
import { START_DEFAULT, WAIT_DEFAULT_SECONDS } from "#src/show/events/contract.ts";
import { findPictures, type Pictures } from "#src/show/events/question-picture.ts";
import { leavePicture } from "./plan-text/gather-parts.ts";
import { judgeTexts } from "./plan-text/judge-texts.ts";
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
export async function readImport(
  db: Queryable,
  text: string,
): Promise<{ reading: PlanReading; pictures: Pictures }> {
  const { reading, pictures } = await readKnown(db, text);
  if (reading.fault !== null) throw invalid({ text: [reading.fault] });
  if (reading.lines.length === 0) throw invalid({ text: ["has no actions"] });
  const problems = reading.lines.flatMap((line) =>
    problemsIn(line).map((problem) => `line ${line.line}: ${problem}`),
  );
  if (problems.length > 0) throw invalid({ text: problems.slice(0, PROBLEMS_MAX) });
  return { reading, pictures };
}

/** Reads a text, without the pictures that are of another installation or were deleted here. */
async function readKnown(db: Queryable, text: string) {
  const reading = readPlanText(text);
  const pictures = await findPictures(
    db,
    reading.lines.map(({ texts }) => texts.picture.trim()),
  );
  for (const { line, texts } of reading.lines) {
    const why = "its file is not here: pictures are added in the editor";
    for (const { text } of leavePicture(texts, (key) => pictures.has(key)))
      reading.leftOut.push({ line, text, why });
  }
  return { reading, pictures };
}

/** What of a text that was imported is no action, or has no place in one. */
export async function leftOutOf(db: Queryable, text: string): Promise<LeftOut[]> {
  const { leftOut } = (await readKnown(db, text)).reading;
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
function eventsOf(lines: PlanReading["lines"], existing: number): object[] {
  return lines.map(({ texts }, index) => {
    const { event } = judgeTexts(texts);
    const isFirst = existing + index === 0;
    const { startMode = isFirst ? undefined : START_DEFAULT, offsetSeconds } = event;
    const follows = startMode === "after_previous" || startMode === "after_result";
    const wait = follows && !isFirst ? WAIT_DEFAULT_SECONDS : 0;
    return { ...event, ...(startMode !== undefined && { startMode }), offsetSeconds: offsetSeconds ?? wait };
  });
}
