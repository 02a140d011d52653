import { eventLimits } from "#src/show/events/contract.ts";
import { noTexts } from "./columns.ts";
import type { LeftOut, PlanLine } from "./plan-reading.ts";
import { cleanCell, whyHeading, whyNoAction } from "./read-table.ts";
import { readMarker, splitOneLine, stripMarkers } from "./strip-markers.ts";

type Line = { raw: string; line: number };
/** A question, with the answers on the lines below it. */
type Asked = Line & { answers: string[] };

/** Reads one question a line, or with two answers below it. */
export function readLines(text: string): { lines: PlanLine[]; leftOut: LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const leave = ({ raw, line }: Line, why: string) => leftOut.push({ line, text: raw.trim(), why });
  const filled = text
    .split("\n")
    .map((raw, index) => ({ raw, line: index + 1 }))
    .filter(({ raw }) => raw.trim() !== "");
  const kept = filled.filter((line, index) => {
    const isHeader = index === 0 && filled.length > 1 && /^(questions?|title)$/i.test(line.raw.trim());
    const why = isHeader ? "the header" : (whyNoAction(line.raw) ?? whyHeading(line.raw));
    if (why !== null) leave(line, why);
    return why === null;
  });
  const above = countAbove(kept);
  for (const line of kept.slice(0, above)) leave(line, "above the list");
  const asked = foldAnswers(splitSingle(kept.slice(above)));
  const titles = stripMarkers(asked.map(({ raw }) => raw));
  return { leftOut, lines: asked.map((each, index) => toLine(each, titles[index] ?? "")) };
}

function toLine({ line, answers }: Asked, title: string): PlanLine {
  const [trueLabel = "", falseLabel = "", ...more] = answers.map((answer) => cleanCell(answer, "trueLabel"));
  return {
    line,
    texts: { ...noTexts(), title: cleanCell(title, "title"), trueLabel, falseLabel },
    faults: more.length === 0 ? [] : [`It has ${answers.length} answers, and an action has two`],
  };
}

function splitSingle(lines: readonly Line[]): Line[] {
  const [single, ...others] = lines;
  if (single === undefined || others.length > 0) return [...lines];
  return splitOneLine(single.raw, eventLimits.titleLengthMax).map((raw) => ({ raw, line: single.line }));
}

/** How many lines stand over a list: what asks nothing and has no mark, where all that follows has one. */
function countAbove(lines: readonly Line[]): number {
  const isMarked = lines.map(({ raw }) => {
    const { number, hasBullet } = readMarker(raw);
    return number !== null || hasBullet;
  });
  const first = isMarked.indexOf(true);
  const isList = first > 0 && lines.length - first > 1 && isMarked.slice(first).every(Boolean);
  return isList && lines.slice(0, first).every(({ raw }) => !raw.includes("?")) ? first : 0;
}

const lettered = /^\s*\(?([a-d])[.):]\)?\s+(?=\S)/i;

/** Takes "a) Yes" and "b) No" below a question as its answers, if each question has some. */
function foldAnswers(lines: readonly Line[]): Asked[] {
  const isNumbered = lines.some(({ raw }) => /^\s*\d/.test(raw));
  const answers = lines.map(({ raw }) => answerIn(raw, isNumbered));
  const asked: Asked[] = [];
  for (const [index, line] of lines.entries()) {
    const answer = answers[index] ?? null;
    const question = asked.at(-1);
    if (answer === null) asked.push({ ...line, answers: [] });
    else if (question !== undefined && answer.letter === (answer.letter && "abcd"[question.answers.length]))
      question.answers.push(answer.text);
    else return unfolded(lines);
  }
  return asked.every((each) => each.answers.length > 1) ? asked : unfolded(lines);
}

const unfolded = (lines: readonly Line[]) => lines.map((line) => ({ ...line, answers: [] }));

/** The answer on a line, with its letter: "" for a bullet below a number. Null for a line that is none. */
function answerIn(raw: string, isNumbered: boolean): { letter: string; text: string } | null {
  if (raw.includes("?")) return null;
  const found = lettered.exec(raw);
  if (found !== null) return { letter: (found[1] ?? "").toLowerCase(), text: raw.slice(found[0].length) };
  const { hasBullet, text } = readMarker(raw);
  return hasBullet && isNumbered ? { letter: "", text } : null;
}
