import { PLAN_LINES_MAX } from "../plan-text/contract.ts";
import { type Parts, readXml } from "./unzip-parts.ts";
import { SheetText, type Workbook } from "./workbook.ts";

const CONTENT = "content.xml";
const SPACES_MAX = 100;
const REPEATED_MAX = 1_000;

/** The part of a workbook of LibreOffice that is read. */
export const isOdsPart = (name: string) => name === CONTENT;

/** A workbook as LibreOffice saves it. Cells are as people see them there, but numbers have all their digits. */
export async function readOds(parts: Parts): Promise<Workbook> {
  const sheets: string[] = [];
  await readXml(parts.get(CONTENT), {
    open: (element, { "table:name": name = "" }) => {
      if (element === "table") sheets.push(name);
    },
  });
  return { sheets, readSheet: (name) => readSheet(parts.get(CONTENT), name) };
}

type Cell = { text: string; paragraphs: number; value: string | null; repeated: number };

async function readSheet(bytes: Uint8Array | undefined, wanted: string): Promise<SheetText> {
  const sheet = new SheetText();
  let isWanted = false;
  let row = { at: 0, repeated: 1, cells: [""] };
  let cell: Cell | null = null;
  /** How deep in what stands in a cell and is no text of it, such as a comment. */
  let aside = 0;
  const addRow = () => {
    for (let time = 0; time < Math.min(row.repeated, PLAN_LINES_MAX + 1); time += 1)
      if (!sheet.add(row.at + time, row.cells)) return false;
    row.at += row.repeated;
    return true;
  };
  await readXml(bytes, {
    open: (element, attributes) => {
      if (element === "table") isWanted = attributes["table:name"] === wanted;
      if (!isWanted) return;
      if (element === "image" || element === "object") sheet.hasPictures = true;
      if (isAside(element)) aside += 1;
      if (element === "table-row")
        row = { at: row.at, repeated: countIn(attributes["table:number-rows-repeated"]), cells: [] };
      if (element === "table-cell" || element === "covered-table-cell") cell = cellIn(attributes);
      if (cell !== null && aside === 0) cell.text += spacing(element, attributes, cell);
    },
    close: (element) => {
      if (isAside(element)) aside = Math.max(0, aside - 1);
      if (cell !== null && (element === "table-cell" || element === "covered-table-cell")) {
        addCells(row.cells, cell);
        cell = null;
      }
      if (element === "table-row" && isWanted) return addRow();
      return !(element === "table" && isWanted);
    },
    text: (piece) => {
      if (cell !== null && aside === 0 && cell.paragraphs > 0) cell.text += piece;
    },
  });
  return sheet;
}

const isAside = (element: string) => ["annotation", "shapes", "frame"].includes(element);

function cellIn(attributes: Readonly<Record<string, string>>): Cell {
  const isNumber = attributes["office:value-type"] === "float";
  return {
    text: "",
    paragraphs: 0,
    value: isNumber ? (attributes["office:value"] ?? null) : null,
    repeated: countIn(attributes["table:number-columns-repeated"]),
  };
}

/** What an element in a cell puts before its text. */
function spacing(element: string, attributes: Readonly<Record<string, string>>, cell: Cell): string {
  if (element === "s") return " ".repeat(Math.min(countIn(attributes["text:c"]), SPACES_MAX));
  if (element === "line-break") return "\n";
  if (element === "tab") return " ";
  if (element !== "p") return "";
  cell.paragraphs += 1;
  return cell.paragraphs > 1 ? "\n" : "";
}

/** Cells to the end of a sheet are one empty cell, repeated. */
function addCells(cells: string[], { text, value, repeated }: Cell): void {
  const shown = value ?? text;
  for (let time = 0; time < Math.min(repeated, REPEATED_MAX); time += 1) cells.push(shown);
}

const countIn = (attribute: string | undefined) => Math.max(1, Number.parseInt(attribute ?? "1", 10) || 1);
