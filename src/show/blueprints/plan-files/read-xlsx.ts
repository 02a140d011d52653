import { type NumberFormat, numberText, readFormat } from "./cell-text.ts";
import { UnreadableFile } from "./unreadable-file.ts";
import { type Parts, readXml } from "./unzip-parts.ts";
import { SheetText, type Workbook } from "./workbook.ts";

const WORKBOOK = "xl/workbook.xml";
const LETTERS = 26;
const A = 64;

/** The parts of a workbook of Excel that are read. */
export const isXlsxPart = (name: string) =>
  /^xl\/(?:workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|styles\.xml|worksheets\/[^/]+\.xml)$/i.test(
    name,
  );

/** A workbook as Excel and Google Sheets save it. Formulas are the values that they had when it was saved. */
export async function readXlsx(parts: Parts): Promise<Workbook> {
  const { sheets, epoch } = await readContents(parts);
  const [texts, formats] = [await readTexts(parts), await readFormats(parts)];
  return {
    sheets: [...sheets.keys()],
    readSheet: (name) => readSheet(parts.get(sheets.get(name) ?? ""), { texts, formats, epoch }),
  };
}

type Epoch = 1900 | 1904;
type Shared = { texts: readonly string[]; formats: readonly NumberFormat[]; epoch: Epoch };

/** The sheets with the names of their parts, hidden ones last. */
async function readContents(parts: Parts): Promise<{ sheets: Map<string, string>; epoch: Epoch }> {
  const targets = new Map<string, string>();
  await readXml(parts.get("xl/_rels/workbook.xml.rels"), {
    open: (name, { Id: id = "", Target: target = "" }) => {
      if (name === "Relationship") targets.set(id, target.startsWith("/") ? target.slice(1) : `xl/${target}`);
    },
  });
  const [shown, hidden] = [new Map<string, string>(), new Map<string, string>()];
  let epoch: Epoch = 1900;
  await readXml(parts.get(WORKBOOK), {
    open: (element, attributes) => {
      if (element === "workbookPr" && /^(?:1|true)$/.test(attributes["date1904"] ?? "")) epoch = 1904;
      const { name = "", state = "visible" } = attributes;
      const part = targets.get(attributes["r:id"] ?? "");
      if (element === "sheet" && part !== undefined && parts.has(part))
        (state === "visible" ? shown : hidden).set(name, part);
    },
  });
  return { sheets: new Map([...shown, ...hidden]), epoch };
}

/** The texts that cells share, without what says how they are pronounced. */
async function readTexts(parts: Parts): Promise<string[]> {
  const texts: string[] = [];
  let text = "";
  let isText = false;
  let isAside = false;
  await readXml(parts.get("xl/sharedStrings.xml"), {
    open: (name) => {
      if (name === "si") text = "";
      if (name === "rPh") isAside = true;
      isText = name === "t" && !isAside;
    },
    close: (name) => {
      isText = false;
      if (name === "rPh") isAside = false;
      if (name === "si") texts.push(text);
    },
    text: (piece) => {
      if (isText) text += piece;
    },
  });
  return texts;
}

async function readFormats(parts: Parts): Promise<NumberFormat[]> {
  const codes = new Map<number, string>();
  const formats: NumberFormat[] = [];
  let isOfCells = false;
  await readXml(parts.get("xl/styles.xml"), {
    open: (name, { numFmtId = "0", formatCode = "" }) => {
      if (name === "numFmt") codes.set(Number(numFmtId), formatCode);
      if (name === "cellXfs") isOfCells = true;
      if (name === "xf" && isOfCells) formats.push(readFormat(Number(numFmtId), codes.get(Number(numFmtId))));
    },
    close: (name) => {
      if (name === "cellXfs") isOfCells = false;
    },
  });
  return formats;
}

type Cell = { type: string; style: number; column: number; text: string; formula: string };

async function readSheet(bytes: Uint8Array | undefined, shared: Shared): Promise<SheetText> {
  const sheet = new SheetText();
  let at = -1;
  let cells: string[] = [];
  let cell: Cell = { type: "n", style: 0, column: 0, text: "", formula: "" };
  let isValue = false;
  let isFormula = false;
  await readXml(bytes, {
    open: (name, { r: place = "", t: type = "n", s: style = "0" }) => {
      if (name === "row") {
        at = place === "" ? at + 1 : Number(place) - 1;
        cells = [];
        cell = { ...cell, column: -1 };
      } else if (name === "c") {
        const column = place === "" ? cell.column + 1 : columnOf(place);
        cell = { type, style: Number(style), column, text: "", formula: "" };
      }
      // What a formula is stands before its value, if it has one.
      isFormula = name === "f";
      if (name === "v") cell.formula = "";
      isValue = name === "v" || name === "t";
    },
    close: (name) => {
      isValue = false;
      isFormula = false;
      if (name === "c" && cell.text + cell.formula !== "") {
        while (cells.length < cell.column) cells.push("");
        cells[cell.column] = textOf(cell, shared);
      }
      return name === "row" ? sheet.add(at, cells) : true;
    },
    text: (piece) => {
      if (isValue) cell.text += piece;
      if (isFormula) cell.formula += piece;
    },
  });
  return sheet;
}

/** "AB12" -> 27 */
function columnOf(place: string): number {
  const letters = /^[A-Z]{1,3}/i.exec(place)?.[0].toUpperCase() ?? "";
  if (letters === "")
    throw new UnreadableFile("This workbook is broken. Open it and save it again, or save it as CSV.");
  return Array.from(letters).reduce((sum, letter) => sum * LETTERS + letter.charCodeAt(0) - A, 0) - 1;
}

function textOf({ type, style, text, formula }: Cell, { texts, formats, epoch }: Shared): string {
  // A program has written it, and no spreadsheet has computed it yet.
  if (formula !== "") return `=${formula}`;
  if (type === "s") return unescaped(texts[Number(text)] ?? "");
  if (type === "b") return text === "1" ? "True" : "False";
  return type === "n" ? numberText(Number(text), formats[style], epoch) : unescaped(text);
}

/** Excel writes letters that XML does not have as "_x000B_". */
function unescaped(text: string): string {
  return text.replaceAll(/_x([0-9A-F]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
