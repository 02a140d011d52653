import type PapaParse from "papaparse";
import { eventLimits } from "#src/show/events/contract.ts";
import { namesNumbering, partNamed, planColumns, type PlanPart } from "./columns.ts";
import { gatherParts, whySurplus } from "./gather-parts.ts";
import type { LeftOut, PlanLine } from "./plan-reading.ts";
import { readSeconds } from "./read-values.ts";
import { readMarker, withoutEmphasis, withoutMarkers } from "./strip-markers.ts";
import { whyHeading, whyNoAction, whySum } from "./why-no-action.ts";

// Required, not imported: the import of a CommonJS module brings a helper into the first scripts of every page. The file is named,
// because the other one needs streams of Node.
const { parse }: typeof PapaParse = require("papaparse/papaparse.min.js");

/** What stands between the cells of a row. */
export type Separator = "\t" | "|" | ";" | ",";

/** A row of a table in text: one line, or several where a cell in quotes has line breaks. */
type PlanRecord = {
  /** The line on which it begins, from 1 on. */
  line: number;
  cells: string[];
  /** As it is written. */
  raw: string;
  /** A quote opens a cell and does not end it, so the line was split without regard to quotes. */
  badQuotes: boolean;
};
type Row = PlanRecord & { faults: string[] };
type Table = { lines: PlanLine[]; leftOut: LeftOut[] };

/** What the columns of a table are, by the index of their cells; null for a column that is left out. */
type Header = (PlanPart | null)[];
type FoundHeader = { header: Header; above: number; height: number };

/** A quote without an end is searched to the end of the text. After so many letters the rest is read without regard to quotes. */
const SEARCHED_MAX = 1_000_000;
/** How many rows may stand above a header: the title of the sheet, who wrote it. */
const ROWS_ABOVE_MAX = 5;

/** What separates the cells of a text; null if each line is a question. Line ends are "\n". */
export function findSeparator(text: string): Separator | null {
  const lines = text.split("\n");
  // Not counting the tab between a list's mark and its text.
  if (lines.some((line) => readMarker(line).unnumbered.trim().includes("\t"))) return "\t";
  const quoted = ([";", ","] as const).find((separator) => isTable(filledRecords(text, separator)));
  if (quoted !== undefined) return quoted;
  return lines.some((line) => line.includes("|")) ? "|" : null;
}

/** Reads rows of cells, with a header or without. Line ends are "\n". */
export function readTable(text: string, separator: Separator): Table {
  const { rows, leftOut } = withoutRules(filledRecords(text, separator), separator);
  const found = findHeader(rows.map(({ cells, badQuotes }) => (badQuotes ? [] : cells)));
  if (found !== null) return readUnder(found, { rows, leftOut, separator });
  const whole = rows.map((row) => asSentence(row, separator));
  const { rows: plain, isNumbered } = withoutNumbers(whole);
  if (isNumbered)
    leftOut.push({ line: plain[0]?.line ?? 1, text: "1, 2, 3 ...", why: "numbers of the rows" });
  const lines = plain.map((row) => toLine(row, placesOf(row.cells), { separator, leftOut }));
  return { lines: withoutMarkers(lines), leftOut };
}

/** Splits a text into rows and cells by RFC 4180. A line whose quotes do not match spoils no other line. */
export function splitRecords(text: string, separator: string, newline: "\n" | "\r\n" = "\n"): PlanRecord[] {
  const records: PlanRecord[] = [];
  let line = 1;
  let at = 0;
  const add = (end: number, cells: string[], badQuotes: boolean) => {
    const whole = text.slice(at, end);
    const raw = whole.endsWith(newline) ? whole.slice(0, -newline.length) : whole;
    records.push({ line, cells, raw, badQuotes });
    line += whole.split("\n").length - 1;
    at = end;
  };
  for (let searched = 0; at < text.length; searched += text.length - at) {
    const start = at;
    parse<string[]>(text.slice(start), {
      delimiter: separator,
      newline,
      // No text has the other character: the database does not store it.
      quoteChar: searched < SEARCHED_MAX ? '"' : "\u0000",
      step: ({ data, errors, meta }, parser) => {
        if (errors.length > 0) parser.abort();
        else add(start + meta.cursor, data, false);
      },
    });
    if (at === text.length) break;
    const [raw = ""] = text.slice(at).split(newline, 1);
    add(Math.min(at + raw.length + newline.length, text.length), raw.split(separator), true);
  }
  return records;
}

/** The rows with a text, without the first columns that are empty in all of them: a table may begin anywhere in its sheet. */
function filledRecords(text: string, separator: Separator): PlanRecord[] {
  const records = separator === "|" ? splitAtBars(text) : splitRecords(text, separator);
  const rows = records.filter(({ cells }) => countFilled(cells) > 0);
  const starts = rows.map(({ cells }) => cells.findIndex((cell) => cell.trim() !== ""));
  const start = starts.reduce((least, each) => Math.min(least, each), Infinity);
  if (rows.length < 2 || start === 0) return rows;
  return rows.map((row) => ({ ...row, cells: row.cells.slice(start) }));
}

/** Bars have no quotes: they are typed by hand, or stand between the cells of a table in Markdown. */
function splitAtBars(text: string): PlanRecord[] {
  return text.split("\n").map((raw, index) => {
    const row = raw.trim();
    const inside = row.length > 1 && row.startsWith("|") && row.endsWith("|") ? row.slice(1, -1) : raw;
    // Markdown writes a bar in a cell with a backslash before it.
    const cells = inside.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|"));
    return { line: index + 1, cells, raw, badQuotes: false };
  });
}

/** Whether the rows have labels and seconds, and are not sentences with commas in them. */
function isTable(records: PlanRecord[]): boolean {
  if (findHeader(records.map(({ cells }) => cells)) !== null) return true;
  const kinds = records.map(kindOf);
  const count = (kind: RowKind) => kinds.filter((other) => other === kind).length;
  if (count("row") > 0) return count("sentence") <= count("row");
  return count("quoted") > 0 && count("sentence") === 0;
}

type RowKind = "row" | "sentence" | "quoted" | "cell";

/** Whether a line without a header over it is a row of cells, or a sentence with the separator in it. */
function kindOf({ cells, raw, badQuotes }: PlanRecord): RowKind {
  if (cells.length === 1) return raw.trim().startsWith('"') && !badQuotes ? "quoted" : "cell";
  const isCounted = cells.length > 2 && /^\s*\d{1,4}\.?\s*$/.test(cells[0] ?? "");
  const after = cells.slice(isCounted ? 2 : 1).map((cell) => cell.trim());
  return isRow(after) ? "row" : "sentence";
}

/** @param after the cells after the question. */
function isRow(after: readonly string[]): boolean {
  const [yes = "", no = "", seconds = ""] = after;
  if (after.length === 1) return yes === "" || readSeconds(yes) !== null;
  return isLabel(yes) && isLabel(no) && !endsSentence(seconds);
}

const endsSentence = (text: string) => /[?.!]$/.test(text) && readSeconds(text) === null;

const isLabel = (text: string) => text.length <= eventLimits.labelLengthMax && !/[?|]$|\|/.test(text);

/** Names that are also common labels of an action: they alone do not make a header. */
const alsoLabels: ReadonlySet<PlanPart | null> = new Set([
  "trueLabel",
  "falseLabel",
  "answer",
  "rightAnswer",
]);
const surelyNamed = /label|\d$|\p{L}{3} \p{L}$/iu;

/**
 * Reads a header, in any order. Null if the row is not a header: it has no question's name, or a value in it.
 * @param below the rows below it.
 */
function readHeader(cells: readonly string[], below: readonly (readonly string[])[]): Header | null {
  const names = cells.map((cell) => cell.trim());
  if (names.some((name) => name.endsWith("?") || isValue(name))) return null;
  const counts = namesNumbering(names[0] ?? "") || isNumberingNo(names);
  const known = names.map((name, index) => {
    const part = namesNumbering(name) || (counts && index === 0) ? null : partNamed(name);
    return part === "title" && countsUp(below, index) ? null : part;
  });
  const header = known.map((part, index) => (isFurther(part) || known.indexOf(part) === index ? part : null));
  if (header.includes("title")) return header;
  // "Prediction A | True label | Seconds": the one name that is not known names the question.
  const sure = names.filter(
    (name, index) => header[index] != null && (!alsoLabels.has(header[index]) || surelyNamed.test(name)),
  );
  if (sure.length === 0) return null;
  const title = names.findIndex(
    (name, index) => name !== "" && known[index] === null && !namesNumbering(name) && !countsUp(below, index),
  );
  return title < 0 ? null : header.map((part, at) => (at === title ? "title" : part));
}

/** There may be several columns of it. */
const isFurther = (part: PlanPart | null) => part === "answer" || part === "wrongAnswer";

/** True for a column that counts the rows, whatever its name is: "Question" over 1, 2, 3. */
function countsUp(rows: readonly (readonly string[])[], index: number): boolean {
  const texts = rows.map((cells) => (cells[index] ?? "").trim()).filter((text) => text !== "");
  return (
    texts.length > 1 &&
    texts.every((text, at) => /^\d{1,3}\.?$/.test(text) && Number.parseFloat(text) === at + 1)
  );
}

/**
 * Finds the header below rows that fill one cell at most. A second row under it that only names columns belongs to it: so cells are
 * merged over "True" and "False". Null without a header.
 */
function findHeader(rows: readonly (readonly string[])[]): FoundHeader | null {
  const above = rows.slice(0, ROWS_ABOVE_MAX + 1).findIndex((cells) => countFilled(cells) > 1);
  const head = rows[above];
  const header = head === undefined ? null : readHeader(head, rows.slice(above + 1));
  if (header === null) return null;
  const below = rows[above + 1]?.map((cell) => cell.trim()) ?? [];
  const named = below.map((name) => (name === "" ? null : partNamed(name)));
  const isSecond =
    countFilled(below) > 0 &&
    below.every((name, index) => name === "" || named[index] !== null) &&
    below[header.indexOf("title")] === "";
  if (!isSecond) return { header, above, height: 1 };
  const width = Math.max(header.length, named.length);
  const merged = Array.from({ length: width }, (_, index) => named[index] ?? header[index] ?? null);
  return { header: merged, above, height: 2 };
}

function countFilled(cells: readonly string[]): number {
  return cells.filter((cell) => cell.trim() !== "").length;
}

const isValue = (name: string) => name !== "" && !namesNumbering(name) && readSeconds(name) !== null;

/** "No, Question, Yes, No": the first one counts. */
function isNumberingNo(names: readonly string[]): boolean {
  const isNo = (name: string | undefined) => name !== undefined && /^no$/i.test(name);
  return isNo(names[0]) && names.slice(1).some(isNo);
}

/** Leaves out headings, sums, and lines without a letter or a digit. */
function withoutRules(records: PlanRecord[], separator: Separator): { rows: Row[]; leftOut: LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const rows = records.flatMap((record) => {
    const [only = "", ...others] = record.cells.filter((cell) => cell.trim() !== "");
    const why = whyNoAction(record.raw) ?? (others.length === 0 ? whyHeading(only) : whySum(only));
    if (why !== null) leftOut.push({ line: record.line, text: record.raw.trim(), why });
    return why === null ? [{ ...record, faults: quoteFaults(record, separator) }] : [];
  });
  return { rows, leftOut };
}

/** Between tabs a single quote is text, as in 5" and in "yes" he said; between commas it hides where the cell ends. */
function quoteFaults({ badQuotes }: PlanRecord, separator: Separator): string[] {
  return badQuotes && separator !== "\t"
    ? ['The quotes do not match; write "" for a quote inside quotes']
    : [];
}

function readUnder(
  found: FoundHeader,
  { rows, leftOut, separator }: { rows: Row[]; leftOut: LeftOut[]; separator: Separator },
): Table {
  const { above, height } = found;
  const explained = explains(rows[above + height]) ? 1 : 0;
  const below = rows.slice(above + height + explained);
  const leave = (from: number, to: number, why: string) => {
    for (const { line, raw } of rows.slice(from, to)) leftOut.push({ line, text: raw.trim(), why });
  };
  leave(0, above, "above the header");
  leave(above, above + height, "the header");
  leave(above + height, above + height + explained, "it explains the columns");
  const { header, unused } = usedOf(found.header, below);
  const head = rows[above];
  for (const { index, why } of unused)
    leftOut.push({ line: head?.line ?? 1, text: head?.cells[index]?.trim() || `Column ${index + 1}`, why });
  return { lines: withoutMarkers(below.map((row) => toLine(row, header, { separator, leftOut }))), leftOut };
}

/** "Text of the question (required)", "Image link (optional)": a row of another tool's template, below its header. */
function explains(row: Row | undefined): boolean {
  return (
    row !== undefined && row.cells.filter((cell) => /\((?:required|optional|default)/i.test(cell)).length > 1
  );
}

/** Leaves out columns that say nothing about an action. @returns those that say something, too. */
function usedOf(header: Header, rows: readonly Row[]) {
  const used = header.map((part) => (part === "aside" ? null : part));
  const unused = header.flatMap((_, index) => {
    const isFilled = rows.some(({ cells }) => (cells[index] ?? "").trim() !== "");
    return used[index] === null && isFilled ? [{ index, why: "a column that is not used" }] : [];
  });
  return { header: used, unused };
}

/** "Ana, Ben or Cleo?" among rows between commas is a question with commas. */
function asSentence(row: Row, separator: Separator): Row {
  if (separator === "\t" || separator === "|" || row.badQuotes || kindOf(row) !== "sentence") return row;
  return { ...row, cells: [row.raw] };
}

/** Removes a first column that only counts the rows. */
function withoutNumbers(rows: Row[]): { rows: Row[]; isNumbered: boolean } {
  const numbers = rows.map(({ cells }) =>
    cells.length > 1 ? (cells[0] ?? "").trim().replace(/\.$/, "") : "",
  );
  const isNumbered =
    rows.length > 0 &&
    numbers.every((text, index) => /^\d{1,4}$/.test(text) && Number(text) === Number(numbers[0]) + index);
  return {
    rows: isNumbered ? rows.map((row) => ({ ...row, cells: row.cells.slice(1) })) : rows,
    isNumbered,
  };
}

/** The columns of a row without a header. With two cells the second one may be the seconds. */
function placesOf(cells: readonly string[]): Header {
  const filled = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
  if (filled === 2 && readSeconds(cells[1] ?? "") !== null) return ["title", "durationSeconds"];
  return [...planColumns];
}

/** @param leftOut gets the cells that have no place in the action. */
function toLine(
  { line, cells, faults }: Row,
  header: Header,
  { separator, leftOut }: { separator: Separator; leftOut: LeftOut[] },
): PlanLine {
  const isWider = cells.slice(header.length).some((cell) => cell.trim() !== "");
  const parts = cells.flatMap((cell, index) => {
    const part = header[index];
    return part == null ? [] : [{ part, text: cleanCell(cell, part) }];
  });
  const { surplus, ...read } = gatherParts(line, parts);
  for (const { part, text } of surplus) leftOut.push({ line, text, why: whySurplus(part) });
  const what = separator === "\t" ? "a tab" : `"${separator}"`;
  const fault = `It has more cells than there are columns: put a text with ${what} in it in quotes`;
  return { ...read, faults: [...faults, ...read.faults, ...(isWider ? [fault] : [])] };
}

const longTexts: ReadonlySet<PlanPart> = new Set(["description", "explanation", "hostNote"]);

/** A line break in a cell is a blank; in a description and the like it stays. */
export function cleanCell(cell: string, part: PlanPart): string {
  const text = cell.replaceAll(/[\u00A0\u202F]/g, " ").replaceAll(/[\u00AD\u200B\uFEFF]/g, "");
  const unescaped = withoutEmphasis(text.replace(/^\s*'(?=[=+\-@])/, "").trim());
  return (longTexts.has(part) ? unescaped : unescaped.replaceAll(/\s+/g, " ")).trim();
}
