import { columnNamed, namesNumbering, type PlanColumn } from "./columns.ts";
import { readSeconds } from "./read-values.ts";

/** The columns of a table, by the index of their cells; null for a column that is left out. */
export type Header = (PlanColumn | null)[];

/** Names that are also common labels of an action: they alone do not make a header. */
const alsoLabels = /^(yes|no|ja|nein|true|false|left|right|a|b)$/i;

/** Reads a header, in any order. Null if the row is not a header: it has no question's name, or a value in it. */
function readHeader(cells: readonly string[]): Header | null {
  const names = cells.map((cell) => cell.trim());
  if (names.some((name) => name.endsWith("?") || isValue(name))) return null;
  const counts = namesNumbering(names[0] ?? "") || isNumberingNo(names);
  const known = names.map((name, index) =>
    namesNumbering(name) || (counts && index === 0) ? null : columnNamed(name),
  );
  const taken = new Set<PlanColumn | null>();
  const header = known.map((column) => {
    if (taken.has(column)) return null;
    taken.add(column);
    return column;
  });
  if (header.includes("title")) return header;
  // "Prediction A | True label | Seconds": the one name that is not known names the question.
  const sure = names.filter((name, index) => header[index] !== null && !alsoLabels.test(name));
  if (sure.length === 0) return null;
  const title = names.findIndex(
    (name, index) => name !== "" && header[index] === null && !namesNumbering(name),
  );
  return title < 0 ? null : header.map((name, at) => (at === title ? "title" : name));
}

/** How many rows may stand above a header: the title of the sheet, who wrote it. */
const ROWS_ABOVE_MAX = 5;

/**
 * Finds the header below rows that fill one cell at most. A second row under it that only names columns belongs to it: so cells are
 * merged over "True" and "False". Null without a header.
 */
export function findHeader(
  rows: readonly (readonly string[])[],
): { header: Header; above: number; height: number } | null {
  const above = rows.slice(0, ROWS_ABOVE_MAX + 1).findIndex((cells) => countFilled(cells) > 1);
  const head = rows[above];
  const header = head === undefined ? null : readHeader(head);
  if (header === null) return null;
  const below = rows[above + 1]?.map((cell) => cell.trim()) ?? [];
  const named = below.map((name) => (name === "" ? null : columnNamed(name)));
  const isSecond =
    countFilled(below) > 0 &&
    below.every((name, index) => name === "" || named[index] !== null) &&
    below[header.indexOf("title")] === "";
  if (!isSecond) return { header, above, height: 1 };
  const width = Math.max(header.length, named.length);
  const merged = Array.from({ length: width }, (_, index) => named[index] ?? header[index] ?? null);
  return { header: merged, above, height: 2 };
}

/** How many of these cells have a text. */
export function countFilled(cells: readonly string[]): number {
  return cells.filter((cell) => cell.trim() !== "").length;
}

const isValue = (name: string) => name !== "" && !namesNumbering(name) && readSeconds(name) !== null;

/** "No, Question, Yes, No": the first one counts. */
function isNumberingNo(names: readonly string[]): boolean {
  const isNo = (name: string | undefined) => name !== undefined && /^no$/i.test(name);
  return isNo(names[0]) && names.slice(1).some(isNo);
}
