const LINE_END = "\r\n";
/** Spreadsheets run a cell as a formula if its text starts like this, even after spaces. */
const looksLikeFormula = /^["\s]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;
/**
 * A text may be divided: where the list separator is a semicolon, a spreadsheet takes the quotes of all cells but the first for
 * letters. So what follows these is made a text, too. An apostrophe that is there already gets one more, so that both can be told apart.
 */
const formulaInside = /([;\t\r\n](?:(?![\t\r\n])["\s])*'*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const needsQuotes = /[",;\t\r\n]/;

/** Without it a spreadsheet reads UTF-8 as the letters of its country: "größer" is broken then. */
const BYTE_ORDER_MARK = "\uFEFF";

/** The first line of a CSV file: the names of its columns. */
export function csvHeader(names: readonly string[]): string {
  return BYTE_ORDER_MARK + csvLine(names);
}

/**
 * Formats one line of a CSV file by RFC 4180, with its line end. Text that a spreadsheet would run as a formula, whatever separates
 * the cells of its country, gets an apostrophe before it. Null is an empty cell.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return cells.map(csvCell).join(",") + LINE_END;
}

function csvCell(cell: string | number | null): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const marked = looksLikeFormula.test(cell) ? `'${cell}` : cell;
  const safe = marked.replaceAll(formulaInside, "$1'");
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
