import { eventLimits } from "#src/show/events/contract.ts";
import { readHeader } from "./read-header.ts";
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
  const records = splitRecords({ text, separator, newline: "\n" }).filter(({ raw }) => raw.trim() !== "");
  const [first] = records;
  if (first === undefined) return false;
  if (first.cells.length > 1 && readHeader(first.cells) !== null) return true;
  const kinds = records.map(kindOf);
  const count = (kind: RowKind) => kinds.filter((other) => other === kind).length;
  if (count("row") > 0) return count("sentence") <= count("row");
  return count("quoted") > 0 && count("sentence") === 0;
}

type RowKind = "row" | "sentence" | "quoted" | "cell";

/** Whether a line without a header over it is a row of cells, or a sentence with the separator in it. */
export function kindOf({ cells, raw, badQuotes }: Omit<PlanRecord, "line">): RowKind {
  const isCounted = cells.length > 2 && /^\d{1,4}\.?$/.test((cells[0] ?? "").trim());
  if (isCounted) return kindOf({ cells: cells.slice(1), raw, badQuotes });
  const filled = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
  const [, yes = "", no = "", seconds = ""] = cells;
  if (cells.length === 1) return raw.trim().startsWith('"') && !badQuotes ? "quoted" : "cell";
  if (filled <= 1) return "row";
  if (filled === 2 && cells.length === 2) return readSeconds(yes) === null ? "sentence" : "row";
  const areLabels = [yes, no].every((label) => isLabel(label.trim()));
  const isTimed = seconds.trim() === "" || readSeconds(seconds) !== null || !/[?.!]$/.test(seconds.trim());
  return areLabels && isTimed ? "row" : "sentence";
}

const isLabel = (text: string) => text.length <= eventLimits.labelLengthMax && !/[?|]$|\|/.test(text);
