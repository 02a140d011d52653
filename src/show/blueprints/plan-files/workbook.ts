import { PLAN_LINES_MAX, PLAN_TEXT_MAX } from "../plan-text/contract.ts";
import { UnreadableFile } from "./unreadable-file.ts";

export type Workbook = { sheets: readonly string[]; readSheet: (name: string) => Promise<SheetText> };

const COLUMNS_MAX = 100;
/** Empty rows keep the numbers of the rows that follow, up to here. */
const EMPTY_ROWS_MAX = 10_000;

/** Gathers the cells of a sheet as the text that a spreadsheet copies: tabs between cells, lines between rows. */
export class SheetText {
  /** They are no text, and are told. */
  hasPictures = false;
  #rows: { at: number; cells: string[] }[] = [];
  #length = 0;

  /**
   * @param at the number of the row, from 0 on.
   * @returns false if no more is read: what has more lines is refused as a text.
   */
  add(at: number, cells: readonly string[]): boolean {
    const last = cells.findLastIndex((cell) => cell.trim() !== "");
    if (last >= COLUMNS_MAX)
      throw new UnreadableFile(
        `This sheet has texts beyond column ${COLUMNS_MAX}. Remove them, or save it as CSV.`,
      );
    if (last === -1) return true;
    const filled = cells.slice(0, last + 1).map((cell) => cell.replaceAll(/\t|\0/g, " "));
    this.#rows.push({ at, cells: filled });
    this.#length += filled.reduce((sum, cell) => sum + cell.length + 1, 0);
    return this.#rows.length <= PLAN_LINES_MAX && this.#length <= PLAN_TEXT_MAX;
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  toString(): string {
    const isTable = this.#rows.some(({ cells }) => cells.length > 1);
    const lines: string[] = [];
    for (const { at, cells } of this.#rows) {
      while (lines.length < Math.min(at, EMPTY_ROWS_MAX)) lines.push("");
      lines.push(isTable ? cells.map(quoted).join("\t") : (cells[0] ?? "").replaceAll(/\s*[\r\n]+\s*/g, " "));
    }
    return lines.join("\n");
  }
}

const quoted = (cell: string) => (/^"|[\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
