import { eventLimits } from "#src/show/events/contract.ts";
import { countFilled, findHeader } from "./read-header.ts";
import { readSeconds } from "./read-values.ts";
import { type PlanRecord, splitRecords } from "./split-records.ts";
import { readMarker } from "./strip-markers.ts";

/** What stands between the cells of a row. */
export type Separator = "\t" | "|" | ";" | ",";

/** What separates the cells of a text; null if each line is a question. Line ends are "\n". */
export function findSeparator(text: string): Separator | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.some((line) => hasTab(line))) return "\t";
  const quoted = ([";", ","] as const).find((separator) => isTable(text, separator));
  if (quoted !== undefined) return quoted;
  return lines.some((line) => line.includes("|")) ? "|" : null;
}

/** Not counting the tab between a list's mark and its text. */
function hasTab(line: string): boolean {
  return readMarker(line).unnumbered.trim().includes("\t");
}

/** Whether the rows have labels and seconds between these separators, and not sentences with commas in them. */
function isTable(text: string, separator: ";" | ","): boolean {
  const records = withoutEmptyStart(
    splitRecords({ text, separator, newline: "\n" }).filter(({ cells }) => countFilled(cells) > 0),
  );
  if (findHeader(records.map(({ cells }) => cells)) !== null) return true;
  const kinds = records.map(kindOf);
  const count = (kind: RowKind) => kinds.filter((other) => other === kind).length;
  if (count("row") > 0) return count("sentence") <= count("row");
  return count("quoted") > 0 && count("sentence") === 0;
}

/** Rows whose first columns are empty in all of them: a table that does not begin at the first column of its sheet. */
export function withoutEmptyStart<Row extends { cells: string[] }>(rows: Row[]): Row[] {
  const starts = rows.map(({ cells }) => cells.findIndex((cell) => cell.trim() !== ""));
  const start = starts.reduce((least, each) => Math.min(least, each), Infinity);
  if (rows.length < 2 || start <= 0) return rows;
  return rows.map((row) => ({ ...row, cells: row.cells.slice(start) }));
}

type RowKind = "row" | "sentence" | "quoted" | "cell";

/** Whether a line without a header over it is a row of cells, or a sentence with the separator in it. */
export function kindOf({ cells, raw, badQuotes }: Omit<PlanRecord, "line">): RowKind {
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
