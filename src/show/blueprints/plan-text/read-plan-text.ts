import { eventLimits } from "#src/show/events/contract.ts";
import { columnNames, noTexts, planColumns, type Part, partNamed } from "./columns.ts";
import { PLAN_LINE_LENGTH_MAX, PLAN_LINES_MAX, PLAN_TEXT_MAX } from "./contract.ts";
import { leavePicture, whySurplus, gatherParts } from "./gather-parts.ts";
import { type PlanLine, type PlanReading, unreadable, type LeftOut } from "./plan-reading.ts";
import { looksLikeJson, readJson } from "./read-json.ts";
import { findSeparator, readTable, type Separator, splitRecords, cleanCell } from "./read-table.ts";
import { splitAnswers, splitQuestion } from "./split-answers.ts";
import { readMarker, splitOneLine, stripMarkers, withoutEmphasis } from "./strip-markers.ts";
import { whyHeading, whyNoAction } from "./why-no-action.ts";

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

/** What a file has that was exported before questions had more to them. */
const COLUMNS_BEFORE_MORE = planColumns.indexOf("explanation");

/** Reads the file of our own export, after a spreadsheet has saved it as well; null for any other text. */
function readExported(text: string): PlanReading | null {
  const [first = ""] = text.split(/\r?\n/, 1);
  const names = planColumns.map((column) => columnNames[column]);
  const heads = [names, names.slice(0, COLUMNS_BEFORE_MORE)];
  const separator = [",", ";", "\t"].find((between) =>
    heads.some((head) => head.join(between) === first.replaceAll('"', "")),
  );
  if (separator === undefined) return null;
  const newline = text.startsWith("\r\n", first.length) ? "\r\n" : "\n";
  const records = splitRecords(text, separator, newline).slice(1);
  const lines = records.filter(({ cells }) => cells.some((cell) => cell !== "")).map(readExact);
  const leftOut = lines.flatMap(({ line, texts }) =>
    leavePicture(texts).map(({ part, text }) => ({ line, text, why: whySurplus(part) })),
  );
  return { lines, leftOut, fault: null, blueprint: null };
}

function readExact({ line, cells, badQuotes }: ReturnType<typeof splitRecords>[number]): PlanLine {
  const texts = noTexts();
  for (const [index, column] of planColumns.entries()) texts[column] = unescapeFormula(cells[index] ?? "");
  const isWider = cells.slice(planColumns.length).some((cell) => cell !== "");
  const faults = [
    badQuotes ? "The quotes do not match" : "",
    isWider ? "It has more cells than there are columns" : "",
  ];
  return { line, texts, faults: faults.filter((fault) => fault !== "") };
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
  const separator = separatorNamed(named?.[1]) ?? (isListOfParts(body) ? null : findSeparator(plain));
  const read = separator === null ? readList(body) : readTable(separator === "\t" ? body : plain, separator);
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

/** `text` is the line without bold letters, `raw` as it is written; `gap` says that an empty line is above it. */
type Line = { raw: string; text: string; line: number; gap: boolean };
type Named = Part & { line: number; raw: string };
/** A question, with what is said about it behind it and on the lines below it. */
type Asked = Line & { parts: Named[] };

const lettered = /^\s*\(?([a-f])[.):]\)?\s+(?=\S)/i;
/** "True: Yes", "Time limit (sec): 30". */
const namedLine = /^(q|[^:?]{2,40}):\s*(\S.*)$/i;

/** Reads one question a line, with its labels and its time behind it or on the lines below it. */
function readList(text: string): { lines: PlanLine[]; leftOut: LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const leave = ({ raw, line }: Pick<Line, "raw" | "line">, why: string) =>
    leftOut.push({ line, text: raw.trim(), why });
  const filled = linesOf(text);
  const kept = filled.filter((line, index) => {
    const isHeader = index === 0 && filled.length > 1 && /^(questions?|title)$/i.test(line.raw.trim());
    const why = isHeader ? "the header" : (whyNoAction(line.raw) ?? whyHeading(line.raw));
    if (why !== null) leave(line, why);
    return why === null;
  });
  const asked = foldAnswers(foldParts(splitSingle(kept), isListOfParts(text)));
  const around = linesAround(asked);
  for (const each of asked) if (around.has(each)) leave(each, around.get(each) ?? "");
  const questions = asked.filter((each) => !around.has(each));
  const titles = stripMarkers(questions.map((each) => each.text));
  const lines = questions.map((each, index) => {
    const { surplus, ...read } = readAsked(each, titles[index] ?? "");
    const left = new Set<Part>(surplus);
    for (const named of each.parts) if (left.has(named)) leave(named, whySurplus(named.part));
    return read;
  });
  return { lines, leftOut };
}

/** True for a list whose questions have named lines below them: "True: Yes". Bars and commas in it separate no cells. */
function isListOfParts(text: string): boolean {
  const lines = linesOf(text);
  const named = lines.filter(
    (line, index) => index > 0 && !line.raw.includes("\t") && namedParts(line).length > 0,
  );
  return named.length > 1 && named.length * 4 >= lines.length;
}

function linesOf(text: string): Line[] {
  const all = text.split("\n").map((raw, index) => ({ raw, line: index + 1 }));
  return all
    .filter(({ raw }) => raw.trim() !== "")
    .map(({ raw, line }) => ({
      raw,
      line,
      text: withoutEmphasis(raw.replace(/^\s*#{1,6} /, "")),
      gap: (all[line - 2]?.raw ?? "").trim() === "",
    }));
}

function readAsked({ line, parts }: Asked, title: string) {
  const { title: question, parts: behind } = splitQuestion(title);
  const read = gatherParts(line, [{ part: "title", text: question }, ...parts, ...behind]);
  const { texts } = read;
  for (const column of ["title", "trueLabel", "falseLabel"] as const)
    texts[column] = cleanCell(texts[column], column);
  return read;
}

function splitSingle(lines: readonly Line[]): Line[] {
  const [single, ...others] = lines;
  if (single === undefined || others.length > 0) return [...lines];
  return splitOneLine(single.text, eventLimits.titleLengthMax).map((text) => ({
    ...single,
    raw: text,
    text,
  }));
}

/**
 * Takes "True: Yes" and "- Heads / Tails" below a question as its parts. "Question: Rain?" begins one.
 * @param areNamed whether all that has a name is a part, known or not: "Category: sport".
 */
function foldParts(lines: readonly Line[], areNamed: boolean): Asked[] {
  const asked: Asked[] = [];
  for (const line of lines) {
    const question = asked.at(-1);
    const parts = namedParts(line, areNamed);
    const [first] = parts;
    if (first?.part === "title") asked.push({ ...line, text: first.text, parts: parts.slice(1) });
    else if (question === undefined) asked.push({ ...line, parts: [] });
    else {
      const found = parts.length > 0 ? parts : pairBelow(line, question);
      if (found.length > 0) question.parts.push(...found);
      else asked.push({ ...line, parts: [] });
    }
  }
  return asked;
}

/** The parts that a line names: "True: Yes", or several: "True: Yes | False: No". None if it names something else, too. */
function namedParts(line: Line, areNamed = false): Named[] {
  const { text, number } = readMarker(line.text);
  const pieces = text.split(/[|;]|,(?=\s*[\p{L} ]{2,20}:)/u);
  const named = pieces.map((piece) => namedPart(piece, line)).filter((part) => part !== null);
  if (named.length === pieces.length) return named;
  const whole = text.includes("|") ? null : namedPart(text, line);
  if (whole !== null) return [whole];
  const isAside = areNamed && number === null && namedLine.test(text) && !text.includes("?");
  return isAside ? [{ part: "aside", text: line.raw, line: line.line, raw: line.raw }] : [];
}

function namedPart(piece: string, { raw, line }: Line): Named | null {
  const [, name = "", value = ""] =
    namedLine.exec(withoutEmphasis(piece.replace(/^[^\p{L}\p{N}*_]+/u, "").trim())) ?? [];
  const part = partNamed(name);
  if (part === null || part === "aside" || (part !== "title" && value.includes("?"))) return null;
  return { part, text: value.trim(), line, raw };
}

/** "- Heads / Tails" below "Heads or tails?". */
function pairBelow({ raw, text, line }: Line, question: Asked): Named[] {
  const { text: bare, hasBullet, number } = readMarker(text);
  const isAsked = question.text.includes("?") || (hasBullet && !readMarker(question.text).hasBullet);
  const isBelow = isAsked && question.parts.slice(0, 2).every(({ part }) => part === "durationSeconds");
  const inside = /^\s*[([](.*)[)\]]\s*$/.exec(bare)?.[1] ?? bare;
  const answers = isBelow && number === null && /^[^?]*\/[^?]*$/.test(bare) ? splitAnswers(inside) : null;
  return (answers ?? []).map((answer) => ({ part: "answer", text: answer, line, raw }));
}

/** Takes "a) Yes" and "b) No" below a question as its answers, if each question has some. */
function foldAnswers(asked: readonly Asked[]): Asked[] {
  const isNumbered = asked.some((each) => /^\s*\d/.test(each.text));
  const folded: Asked[] = [];
  let before = 0;
  for (const each of asked) {
    const answers = answersOn(each, isNumbered);
    const question = folded.at(-1);
    const [first] = answers;
    if (first === undefined) {
      folded.push({ ...each, parts: [...each.parts] });
      before = countAnswers(each);
    } else if (question !== undefined && first.letter === (first.letter && "abcdef"[before])) {
      for (const { text } of answers)
        question.parts.push({ part: "answer", text, line: each.line, raw: each.raw });
      question.parts.push(...each.parts);
      before += answers.length;
    } else return [...asked];
  }
  return folded.every(isWhole) ? folded : [...asked];
}

/** A question with one answer has lost the other one. */
function isWhole({ text, parts }: Asked): boolean {
  return parts.length === 0 ? !text.includes("?") : countAnswers({ parts }) !== 1;
}

const countAnswers = ({ parts }: Pick<Asked, "parts">) =>
  parts.filter(({ part }) => part === "answer").length;

/** The answers on a line, with their letters: "" for a bullet below a number. */
function answersOn({ text }: Line, isNumbered: boolean): { letter: string; text: string }[] {
  if (text.includes("?")) return [];
  const { hasBullet, text: bare } = readMarker(text);
  const found = lettered.exec(bare);
  // "Category: sport" is no answer.
  if (found === null)
    return hasBullet && isNumbered && !namedLine.test(bare) ? [{ letter: "", text: bare }] : [];
  // "a) Yes b) No"
  return bare.split(/\s+(?=\(?[b-f]\)\s)/).map((piece) => {
    const [mark = "", letter = ""] = lettered.exec(piece) ?? [];
    return { letter: letter.toLowerCase(), text: piece.slice(mark.length).trim() };
  });
}

/** The lines above, below and between the questions of a list, and why they are none. */
function linesAround(asked: readonly Asked[]): Map<Asked, string> {
  const isMarked = asked.map(({ text, parts }) => {
    const { number, hasBullet } = readMarker(text);
    return number !== null || hasBullet || parts.length > 0;
  });
  const [first, last] = [isMarked.indexOf(true), isMarked.lastIndexOf(true)];
  const haveParts = mostHaveParts(asked);
  const isList = haveParts || (last > first && isMarked.slice(first, last + 1).every(Boolean));
  const whyNone = ({ text, parts, gap }: Asked, index: number) => {
    const asks = text.includes("?");
    if (isList && index < first && !asks) return "above the list";
    if (isList && index > last && gap && (haveParts || !asks)) return "below the list";
    return haveParts && parts.length === 0 && !asks ? "it asks nothing and has no labels" : null;
  };
  const none = asked.map((each, index) => [each, whyNone(each, index)] as const);
  return new Map(none.flatMap(([each, why]) => (why === null ? [] : [[each, why]])));
}

function mostHaveParts(asked: readonly Asked[]): boolean {
  const withParts = asked.filter(({ parts }) => parts.length > 0).length;
  return withParts > 1 && withParts * 2 >= asked.filter(({ text }) => text.includes("?")).length;
}
