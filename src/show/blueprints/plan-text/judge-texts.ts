import type { AutoResult } from "#db/lists/events.ts";
import { CODES_PER_CHARACTER } from "#db/lists/limits.ts";
import { questionLimits } from "#db/lists/questions.ts";
import { charactersOf } from "#src/http/contract.ts";
import { eventLimits, haveSameText, isSameLabel, SAME_LABEL } from "#src/show/events/contract.ts";
import { columnLabels, type PlanColumn, type PlanTexts } from "./columns.ts";
import { readDollars, readResult, readSeconds, readStart } from "./read-values.ts";

type Problems = { problems: string[]; texts: PlanTexts };

/**
 * Reads the texts of an action, by the limits of the API.
 * @returns what they mean, where what is undefined has the default of a new action; and why they cannot be added: whole sentences,
 *   none if they can.
 */
export function judgeTexts(texts: PlanTexts) {
  const judging: Problems = { problems: [], texts };
  const { titleLengthMax, labelLengthMax, descriptionLengthMax } = eventLimits;
  if (texts.title.trim() === "") judging.problems.push(`${columnLabels["title"]} can't be blank`);
  const start = readStartIn(judging);
  const event = {
    title: lineIn(judging, "title", titleLengthMax) ?? "",
    trueLabel: lineIn(judging, "trueLabel", labelLengthMax),
    falseLabel: lineIn(judging, "falseLabel", labelLengthMax),
    durationSeconds: secondsIn(judging, "durationSeconds"),
    startMode: start?.mode,
    offsetSeconds: secondsIn(judging, "offsetSeconds") ?? start?.seconds ?? undefined,
    resolveWithinSeconds: secondsIn(judging, "resolveWithinSeconds"),
    autoResult: resultIn(judging),
    description: lineIn(judging, "description", descriptionLengthMax),
    explanation: lineIn(judging, "explanation", questionLimits.explanationLengthMax),
    hostNote: lineIn(judging, "hostNote", questionLimits.hostNoteLengthMax),
    ...pictureIn(judging),
    ...wagersIn(judging),
  };
  const labels = { trueLabel: event.trueLabel, falseLabel: event.falseLabel };
  if (haveSameText(labels)) judging.problems.push(`${columnLabels["falseLabel"]} ${SAME_LABEL}`);
  return { event, problems: judging.problems };
}

function lineIn({ texts, problems }: Problems, column: PlanColumn, lengthMax: number): string | undefined {
  const text = texts[column].trim();
  if (text === "") return undefined;
  if (isLonger(text, lengthMax))
    problems.push(`${columnLabels[column]} is too long (maximum is ${lengthMax} characters)`);
  return text;
}

/** Counted as the API does. */
const isLonger = (text: string, max: number) =>
  text.length > max * CODES_PER_CHARACTER || (text.length > max && charactersOf(text).length > max);

/** The key of a picture that a question has already. */
function pictureIn(judging: Problems): { picture?: string; pictureAlt?: string | undefined } {
  const picture = judging.texts.picture.trim();
  const pictureAlt = lineIn(judging, "pictureAlt", questionLimits.pictureAltLengthMax);
  if (picture === "") return {};
  if (pictureAlt === undefined) judging.problems.push(`${columnLabels["pictureAlt"]} can't be blank`);
  return { picture, pictureAlt };
}

const secondsLimits: Partial<Record<PlanColumn, { min: number; max: number }>> = {
  durationSeconds: { min: eventLimits.durationSecondsMin, max: eventLimits.durationSecondsMax },
  offsetSeconds: { min: 0, max: eventLimits.offsetSecondsMax },
  resolveWithinSeconds: { min: 0, max: eventLimits.resolveWithinSecondsMax },
};

function secondsIn({ texts, problems }: Problems, column: PlanColumn): number | undefined {
  const text = texts[column].trim();
  if (text === "") return undefined;
  const seconds = readSeconds(text);
  const problem = problemOf(seconds, secondsLimits[column] ?? { min: 0, max: Infinity });
  if (problem === null) return seconds ?? undefined;
  problems.push(`${columnLabels[column]} ${problem}`);
  return undefined;
}

function problemOf(seconds: number | null, { min, max }: { min: number; max: number }): string | null {
  if (seconds === null) return "is not a number";
  if (!Number.isInteger(seconds)) return "must be an integer";
  if (seconds < min) return `must be greater than or equal to ${min}`;
  return seconds > max ? `must be less than or equal to ${max}` : null;
}

function readStartIn({ texts, problems }: Problems): ReturnType<typeof readStart> {
  const text = texts.startMode.trim();
  if (text === "") return null;
  const start = readStart(text);
  if (start === null) {
    problems.push(
      `${columnLabels["startMode"]} is "${text}"; write "after previous", "after result", "by hand", or a time such as "at 2:00"`,
    );
  }
  return start;
}

function resultIn({ texts, problems }: Problems): AutoResult | undefined {
  const text = texts.autoResult.trim();
  if (text === "" || text.toLowerCase() === "by hand") return undefined;
  const result = readResult(text) ?? sideNamed(text, texts);
  if (result === null)
    problems.push(`${columnLabels["autoResult"]} is "${text}"; write "true", "false", "random", or nothing`);
  return result ?? undefined;
}

function sideNamed(text: string, { trueLabel, falseLabel }: PlanTexts): AutoResult | null {
  if (isSameLabel(text, trueLabel)) return "true";
  return isSameLabel(text, falseLabel) ? "false" : null;
}

function wagersIn(judging: Problems) {
  const minWager = dollarsIn(judging, "minWager");
  const unlimited = /^(no limit|none|unlimited|-|–|—)$/i.test(judging.texts.maxWager.trim());
  const maxWager = unlimited ? undefined : dollarsIn(judging, "maxWager");
  if (maxWager !== undefined && minWager !== undefined && maxWager < minWager)
    judging.problems.push(`${columnLabels["maxWager"]} must be greater than or equal to ${minWager}`);
  return { minWager, maxWager };
}

function dollarsIn({ texts, problems }: Problems, column: "minWager" | "maxWager"): number | undefined {
  const text = texts[column].trim();
  if (text === "") return undefined;
  const dollars = readDollars(text);
  const label = columnLabels[column];
  if (dollars === null) problems.push(`${label} is not a number`);
  else if (dollars <= 0) problems.push(`${label} must be greater than 0`);
  else if (dollars > eventLimits.wagerMax)
    problems.push(`${label} must be less than or equal to ${eventLimits.wagerMax}`);
  else if (Math.round(dollars * 100) / 100 !== dollars) problems.push(`${label} has fractions of a cent`);
  else return dollars;
  return undefined;
}
