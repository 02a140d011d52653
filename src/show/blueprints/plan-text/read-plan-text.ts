import { columnNames, noTexts, planColumns } from "./columns.ts";
import { PLAN_LINE_LENGTH_MAX, PLAN_LINES_MAX, PLAN_TEXT_MAX } from "./contract.ts";
import { leavePicture, whySurplus } from "./gather-parts.ts";
import { type PlanLine, type PlanReading, unreadable } from "./plan-reading.ts";
import { looksLikeJson, readJson } from "./read-json.ts";
import { isListOfParts, readList } from "./read-list.ts";
import { findSeparator, readTable, type Separator, splitRecords } from "./read-table.ts";

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
