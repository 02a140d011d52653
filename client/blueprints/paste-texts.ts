import { countOf } from "../base/format/count.ts";

/** The texts for adding many actions at once. */

export const pasteInBulk = "Paste in bulk";
export const pasteExample = "Home team to win the toss? | Heads | Tails | 30\nGoal inside ten minutes?";
export const lineFormat = "question | true | false | seconds";
export const pasteHint = (defaultWaitSeconds: number) =>
  `A question a line, a list, or cells of a spreadsheet: {example}, or with a header in any order. What you leave out is as in any new action: each opens ${defaultWaitSeconds} seconds after the result of the one before it.`;
export const pasteLabel = "Actions, one a line";
export const chooseFile = "Choose a file, or drop it here";
export const fileTooLarge = (name: string) => `${name} is too large. Paste its lines here instead.`;
export const linesToFix = (count: number) =>
  count === 1
    ? "1 line needs a change before anything is added."
    : `${countOf(count, "line")} need a change before anything is added.`;
export const tooManyLines = (remaining: number, count: number) =>
  `There is room for ${countOf(remaining, "more action")}; these are ${count}.`;
export const leaveOutLast = (count: number) => `Leave out the last ${count}`;
export const readSoFar = (count: number, leftOutCount: number) =>
  leftOutCount === 0
    ? `Read: ${countOf(count, "action")}.`
    : `Read: ${countOf(count, "action")}. Left out: ${leftOutCount}.`;
export const addAllLines = "Add all lines";
export const addActions = (count: number) => `Add ${countOf(count, "action")}`;
export const checkFirst = "Check first";

// Preview
export const previewLabel = "What was understood";
export const notActions = "Not added";
export const leftOut = (text: string, why: string) => `Left out, ${why}: ${text}`;
export const noQuestion = "No question";
export const isLeftOut = "Left out";
type Described = { yes: string; no: string; seconds: string; more: readonly string[] };
export const describeLine = ({ yes, no, seconds: duration, more }: Described) =>
  [`${yes} or ${no}`, /^\d+$/.test(duration) ? `${duration} s` : duration, ...more].join(", ");
export const waitOf = (wait: string) => `wait ${wait}`;
export const minOf = (dollars: string) => `from $${dollars.replace("$", "")}`;
export const maxOf = (dollars: string) => `up to $${dollars.replace("$", "")}`;
export const lineProblem = (number: number, problem: string) => `Line ${number}: ${problem}`;
export const correct = "Correct";
export const leaveOut = "Leave out";
export const putBack = "Put back";
export const ofLine = (number: number) => ` line ${number}`;
export const fieldOfLine = (field: string, number: number) => `${field} of line ${number}`;
export const question = "Question";
export const trueLabel = "True Label";
export const falseLabel = "False Label";
export const seconds = "Seconds";
export const starts = "Starts";
export const wait = "Wait, seconds";
export const least = "Least wager, $";
export const most = "Most per player, $";
export const result = "Result";
export const resultWithin = "Result within, seconds";
export const description = "Description";
