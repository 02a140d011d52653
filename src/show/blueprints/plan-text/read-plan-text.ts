import { eventLimits } from "#src/show/events/contract.ts";
import { PLAN_LINE_LENGTH_MAX, PLAN_LINES_MAX, PLAN_TEXT_MAX } from "../contract.ts";
import { columnNames, noTexts, planColumns } from "./columns.ts";
import { type LeftOut, type PlanLine, type PlanReading, unreadable } from "./plan-reading.ts";
import { looksLikeJson, readJson } from "./read-json.ts";
import {
  cleanCell,
  findSeparator,
  readTable,
  type Separator,
  splitRecords,
  whyHeading,
  whyNoAction,
} from "./read-table.ts";
import { readMarker, splitOneLine, stripMarkers } from "./strip-markers.ts";

const lettered = /^\s*\(?([a-d])[.):]\)?\s+(?=\S)/i;

const unfolded = (lines: readonly Line[]) => lines.map((line) => ({ ...line, answers: [] }));

/**
 * Reads the actions in a text: lines, a list, cells of a spreadsheet, CSV, TSV, or JSON. A blueprint that was exported is read to
 * the letter; everything else is understood as people mean it.
 */
export function readPlanText(text: string): PlanReading {
  if (text.length > PLAN_TEXT_MAX)
    return unreadable(`It is too long (maximum is ${PLAN_TEXT_MAX} characters): bring it in parts`);
  const unmarked = text.replace(/^\uFEFF/, "");
  const reading = looksLikeJson(unmarked) ? readJson(unmarked) : readLined(unmarked);
  return reading.lines.length + reading.leftOut.length > PLAN_LINES_MAX
    ? unreadable(`It has too many lines (maximum is ${PLAN_LINES_MAX}): bring it in parts`)
    : reading;
}

function readLined(text: string): PlanReading {
  return text.split(/[\n\v\f\r\u0085\u2028\u2029]/).some(({ length }) => length > PLAN_LINE_LENGTH_MAX)
    ? unreadable(`It has a line that is too long (maximum is ${PLAN_LINE_LENGTH_MAX} characters)`)
    : (readExported(text) ?? readWritten(text));
}

/** Reads the file of our own export, after a spreadsheet has saved it as well; null for any other text. */
function readExported(text: string): PlanReading | null {
  const [head = ""] = text.split(/\r?\n/, 1);
  const separator = [",", ";", "\t"].find(
    (between) => head.replaceAll('"', "") === planColumns.map((column) => columnNames[column]).join(between),
  );
  if (separator === undefined) return null;
  const newline = text.startsWith("\r\n", head.length) ? "\r\n" : "\n";
  const records = splitRecords(text, separator, newline).slice(1);
  const lines = records.filter(({ cells }) => cells.some((cell) => cell !== "")).map(readExact);
  return { lines, leftOut: [], fault: null, blueprint: null };
}

function readExact({ line, cells, badQuotes }: ReturnType<typeof splitRecords>[number]): PlanLine {
  const texts = noTexts();
  for (const [index, column] of planColumns.entries()) texts[column] = unescapeFormula(cells[index] ?? "");
  return { line, texts, faults: badQuotes ? ["The quotes do not match"] : [] };
}

/** Exported texts that a spreadsheet would run as a formula have an apostrophe before them, and before what a separator in them starts. */
function unescapeFormula(cell: string): string {
  const inside = cell.replaceAll(
    /([;\t\r\n](?:(?![\t\r\n])["\s])*'*)'(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g,
    "$1",
  );
  return inside.replace(/^'(?='*(["\s]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n]))/, "");
}

function readWritten(text: string): PlanReading {
  const lined = text.replaceAll(/\r\n|[\r\f\u0085\u2029]/g, "\n");
  // Word breaks a line inside a paragraph by these. Where they are the only breaks, each line is meant.
  const unified = lined.replaceAll(/[\v\u2028]/g, lined.trim().includes("\n") ? " " : "\n");
  const named = /^sep=(.)\n/i.exec(unified);
  // The line stays, as an empty one, so that the numbers of the others are right.
  const body = named === null ? unified : unified.slice(named[0].length - 1);
  const plain = withPlainQuotes(body);
  const separator = separatorNamed(named?.[1]) ?? findSeparator(plain);
  const read = separator === null ? readLines(body) : readTable(separator === "\t" ? body : plain, separator);
  const leftOut = read.leftOut.toSorted((one, other) => one.line - other.line);
  return { lines: read.lines, leftOut, fault: null, blueprint: null };
}

const separatorNamed = (text: string | undefined): Separator | undefined =>
  (["\t", ";", ",", "|"] as const).find((separator) => separator === text);

/** Word turns the quotes around a cell into typographic ones. Who types a table puts blanks around them. */
function withPlainQuotes(text: string): string {
  return text
    .replaceAll(/(^|[,;\n])[“„]([^“”„\n]*)[”“](?=[,;\n]|$)/g, '$1"$2"')
    .replaceAll(/([,;]) +("[^"\n]*") *(?=[,;\n]|$)/g, "$1$2");
}

type Line = { raw: string; line: number };

/** A question, with the answers on the lines below it. */
type Asked = Line & { answers: string[] };

/** Reads one question a line, or with two answers below it. */
function readLines(text: string): { lines: PlanLine[]; leftOut: LeftOut[] } {
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

/** The answer on a line, with its letter: "" for a bullet below a number. Null for a line that is none. */
function answerIn(raw: string, isNumbered: boolean): { letter: string; text: string } | null {
  if (raw.includes("?")) return null;
  const found = lettered.exec(raw);
  if (found !== null) return { letter: (found[1] ?? "").toLowerCase(), text: raw.slice(found[0].length) };
  const { hasBullet, text } = readMarker(raw);
  return hasBullet && isNumbered ? { letter: "", text } : null;
}
