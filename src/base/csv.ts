const LINE_END = "\r\n";
/** Spreadsheets run a cell as a formula if its text starts like this, even after spaces. */
const looksLikeFormula = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;
const needsQuotes = /[",\r\n]/;

/** Without it a spreadsheet reads UTF-8 as the letters of its country: "größer" is broken then. */
const BYTE_ORDER_MARK = "\uFEFF";

/** The first line of a CSV file: the names of its columns. */
export function csvHeader(names: readonly string[]): string {
  return BYTE_ORDER_MARK + csvLine(names);
}

/**
 * Formats one line of a CSV file by RFC 4180, with its line end. Text that a spreadsheet would run as a formula gets a
 * leading apostrophe. Null is an empty cell.
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
