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
    open: (name, attributes) => {
      const { r: place = "", s: style = "0" } = attributes;
      const type = typeOf(name, attributes);
      if (type === PICTURE) sheet.hasPictures = true;
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

const PICTURE = "picture";

/** The type of a cell; a picture lies on the sheet, or in a cell that reads "#VALUE!" for programs that do not know it. */
function typeOf(name: string, { t: type = "n", vm: rich }: Readonly<Record<string, string>>): string {
  const isPicture = name === "drawing" || (name === "c" && type === "e" && rich !== undefined);
  return isPicture ? PICTURE : type;
}

/** "AB12" -> 27 */
function columnOf(place: string): number {
  const letters = /^[A-Z]{1,3}/i.exec(place)?.[0].toUpperCase() ?? "";
  if (letters === "")
    throw new UnreadableFile("This workbook is broken. Open it and save it again, or save it as CSV.");
  return Array.from(letters).reduce((sum, letter) => sum * LETTERS + letter.charCodeAt(0) - A, 0) - 1;
}

function textOf({ type, style, text, formula }: Cell, { texts, formats, epoch }: Shared): string {
  if (type === PICTURE) return "";
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

const DAY_S = 86_400;
const HOUR_S = 3_600;
const MINUTE_S = 60;
/** A spreadsheet counts days from here; the second one is that of old Macs. */
const EPOCHS_MS = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };
/** A spreadsheet keeps so many digits: 0.1 + 0.2 is 0.3 there. */
const DIGITS = 15;

/** The codes of number formats that have no code in the file. */
const builtInFormats: Readonly<Record<number, string>> = {
  9: "0%",
  10: "0.00%",
  ...Object.fromEntries([14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 57].map((id) => [id, "d"])),
  18: "h:mm",
  19: "h:mm:ss",
  20: "h:mm",
  21: "h:mm:ss",
  22: "d h:mm",
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss",
};

/** What a format makes of a number: a date, a time, a percentage. */
export type NumberFormat = { isDate: boolean; hasHours: boolean; hasSeconds: boolean; isPercent: boolean };

/** @param code the code in the file; undefined for a format that is built in. */
export function readFormat(id: number, code: string | undefined): NumberFormat {
  const [section = ""] = (code ?? builtInFormats[id] ?? "").replaceAll(/"[^"]*"|\\.|_.|\*./g, "").split(";");
  // Colours, currencies and conditions stand in brackets; so do hours that go beyond a day.
  const letters = section.toLowerCase().replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]|general/g, "");
  const hasHours = letters.includes("h");
  const hasSeconds = letters.includes("s");
  const isDate = /[yd]/.test(letters) || (letters.includes("m") && !hasHours && !hasSeconds);
  return { isDate, hasHours, hasSeconds, isPercent: letters.includes("%") };
}

/** The text of a number, as people see it in its cell: "30", "0:30", "50%", "2026-11-29". */
export function numberText(
  value: number,
  format: NumberFormat | undefined,
  epoch: keyof typeof EPOCHS_MS,
): string {
  if (format === undefined || !Number.isFinite(value)) return plainNumber(value);
  const { isDate, hasHours, hasSeconds, isPercent } = format;
  if (isPercent) return `${plainNumber(value * 100)}%`;
  if (!isDate)
    return hasHours || hasSeconds ? clockText(Math.round(value * DAY_S), format) : plainNumber(value);
  const at = new Date(EPOCHS_MS[epoch] + Math.round(value * DAY_S) * 1_000);
  if (Number.isNaN(at.getTime())) return plainNumber(value);
  const [day = "", time = ""] = at.toISOString().split("T");
  return hasHours ? `${day} ${time.slice(0, 5)}` : day;
}

const plainNumber = (value: number) => String(Number(value.toPrecision(DIGITS)));

function clockText(seconds: number, { hasHours, hasSeconds }: NumberFormat): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const inMinute = seconds % MINUTE_S;
  if (!hasHours) return `${Math.floor(seconds / MINUTE_S)}:${two(inMinute)}`;
  const hours = `${Math.floor(seconds / HOUR_S)}:${two(Math.floor(seconds / MINUTE_S) % MINUTE_S)}`;
  return hasSeconds || inMinute > 0 ? `${hours}:${two(inMinute)}` : hours;
}
