const LINE_END = "\r\n";
/** A spreadsheet would take what begins so for a formula, blanks before it or not. */
const looksLikeFormula = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;
const needsQuotes = /[",\r\n]/;

/**
 * One line of a CSV file as RFC 4180 has it, its end included. Numbers stand as they are; text that a spreadsheet would run as
 * a formula is given an apostrophe, and null is an empty cell.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return cells.map(csvCell).join(",") + LINE_END;
}

function csvCell(cell: string | number | null): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const safe = looksLikeFormula.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
