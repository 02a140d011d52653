import { noTexts, planColumns, type PlanColumn, type PlanTexts } from "./columns.ts";
import { kindOf, type Separator, withoutEmptyStart } from "./find-separator.ts";
import type { LeftOut, PlanLine } from "./plan-reading.ts";
import { countFilled, findHeader, type Header } from "./read-header.ts";
import { readSeconds } from "./read-values.ts";
import { type PlanRecord, splitRecords } from "./split-records.ts";
import { withoutMarkers } from "./strip-markers.ts";

type Table = { lines: PlanLine[]; leftOut: LeftOut[] };
type Row = PlanRecord & { faults: string[] };

/** Reads rows of cells, with a header or without. Line ends are "\n". */
export function readTable(text: string, separator: Separator): Table {
  const records = recordsIn(text, separator).filter(({ cells }) => countFilled(cells) > 0);
  const { rows, leftOut } = withoutRules(withoutEmptyStart(records), separator);
  const found = findHeader(rows.map(({ cells, badQuotes }) => (badQuotes ? [] : cells)));
  if (found !== null) return readUnder(found, { rows, leftOut, separator });
  const whole = rows.map((row) => asSentence(row, separator));
  const { rows: plain, isNumbered } = withoutNumbers(whole);
  if (isNumbered)
    leftOut.push({ line: plain[0]?.line ?? 1, text: "1, 2, 3 ...", why: "numbers of the rows" });
  const lines = plain.map((row) => toLine(row, placesOf(row.cells), separator));
  return { lines: withoutMarkers(lines), leftOut };
}

/** Bars have no quotes: they are typed by hand, or stand between the cells of a table in Markdown. */
function recordsIn(text: string, separator: Separator): PlanRecord[] {
  if (separator !== "|") return splitRecords({ text, separator, newline: "\n" });
  return text.split("\n").map((raw, index) => {
    const row = raw.trim();
    const inside = row.length > 1 && row.startsWith("|") && row.endsWith("|") ? row.slice(1, -1) : raw;
    return { line: index + 1, cells: inside.split("|"), raw, badQuotes: false };
  });
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

/** Why a line is no action; null if it may be one. */
export function whyNoAction(raw: string): string | null {
  if (!/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(raw)) return "no words in it";
  return /^\s*#{1,6} /.test(raw) && !/[|\t]/.test(raw) ? "a heading" : null;
}

const part =
  /^\s*(?:round|part|section|block|half|quarter|runde|teil)\s*(?:\d{1,2}|[ivx]{1,4}|one|two|three|four|five)(?:\s*[:.–—-][^?]{0,40})?\s*$/i;

/** Why the only text of a line is no action: "Round 2: music" stands over those of its round. Null if it may be one. */
export function whyHeading(text: string): string | null {
  return part.test(text) ? "a heading" : null;
}

const whySum = (first: string) =>
  /^(?:total|sum|summe|gesamt)(?:\s*:)?$/i.test(first.trim()) ? "a sum" : null;

/** Between tabs a single quote is text, as in 5" and in "yes" he said; between commas it hides where the cell ends. */
function quoteFaults({ badQuotes }: PlanRecord, separator: Separator): string[] {
  return badQuotes && separator !== "\t"
    ? ['The quotes do not match; write "" for a quote inside quotes']
    : [];
}

function readUnder(
  { header, above, height }: NonNullable<ReturnType<typeof findHeader>>,
  { rows, leftOut, separator }: { rows: Row[]; leftOut: LeftOut[]; separator: Separator },
): Table {
  const below = rows.slice(above + height);
  for (const [index, { line, raw }] of rows.slice(0, above + height).entries())
    leftOut.push({ line, text: raw.trim(), why: index < above ? "above the header" : "the header" });
  const head = rows[above];
  for (const [index, name] of head?.cells.entries() ?? [])
    if (header[index] === null && name.trim() !== "")
      leftOut.push({ line: head?.line ?? 1, text: name.trim(), why: "a column that is not used" });
  return { lines: withoutMarkers(below.map((row) => toLine(row, header, separator))), leftOut };
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

function toLine({ line, cells, faults }: Row, header: Header, separator: Separator): PlanLine {
  const texts: PlanTexts = noTexts();
  const surplus = cells.slice(header.length).filter((cell) => cell.trim() !== "");
  for (const [index, cell] of cells.entries()) {
    const column = header[index];
    if (column != null) texts[column] = cleanCell(cell, column);
  }
  if (surplus.length === 0) return { line, texts, faults };
  const what = separator === "\t" ? "a tab" : `"${separator}"`;
  const fault = `It has more cells than there are columns: put a text with ${what} in it in quotes`;
  return { line, texts, faults: [...faults, fault] };
}

/** A line break in a cell is a blank; in a description it stays. */
export function cleanCell(cell: string, column: PlanColumn): string {
  const text = cell.replaceAll(/[\u00A0\u202F]/g, " ").replaceAll(/[\u00AD\u200B\uFEFF]/g, "");
  const unescaped = text.replace(/^\s*'(?=[=+\-@])/, "").replace(/^\s*(\*\*|__)(.+)\1\s*$/s, "$2");
  return (column === "description" ? unescaped : unescaped.replaceAll(/\s+/g, " ")).trim();
}
