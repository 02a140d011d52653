import { strToU8, Zip, ZipDeflate } from "fflate";

/** A table of a workbook. A number is a number there, and a text is a text, also one that begins with "=". */
export type XlsxSheet = { name: string; rows: Iterable<readonly (string | number | null)[]> };

/** Rows that are written at once, so that a long sheet holds up no other request. */
const BATCH_ROWS = 500;
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

export const XLSX_TYPE = `${TYPE}.sheet`;

/** Writes a workbook of Excel, piece by piece. The first row of each sheet stays in sight. */
export async function* writeXlsx(sheets: readonly XlsxSheet[]): AsyncGenerator<Uint8Array> {
  const written: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    written.push(piece);
  });
  for (const [name, pieces] of partsOf(sheets)) {
    const part = new ZipDeflate(name, { level: 1 });
    zip.add(part);
    for (const piece of pieces) {
      part.push(strToU8(piece));
      yield* written.splice(0);
    }
    part.push(new Uint8Array(), true);
  }
  zip.end();
  yield* written;
}

function* partsOf(sheets: readonly XlsxSheet[]): Generator<[name: string, pieces: Iterable<string>]> {
  const each = (write: (sheet: XlsxSheet, number: number) => string) =>
    sheets.map((sheet, index) => write(sheet, index + 1)).join("");
  yield [
    "[Content_Types].xml",
    [
      `${HEAD}<Types xmlns="${PACKAGE}/content-types">`,
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
      `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>`,
      each(
        (_, n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPE}.worksheet+xml"/>`,
      ),
      "</Types>",
    ],
  ];
  yield [
    "_rels/.rels",
    [
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">`,
      `<Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
  ];
  yield [
    "xl/workbook.xml",
    [
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>`,
      each(({ name }, n) => `<sheet name="${escaped(name)}" sheetId="${n}" r:id="rId${n}"/>`),
      "</sheets></workbook>",
    ],
  ];
  yield [
    "xl/_rels/workbook.xml.rels",
    [
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">`,
      each(
        (_, n) =>
          `<Relationship Id="rId${n}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
      ),
      "</Relationships>",
    ],
  ];
  for (const [index, { rows }] of sheets.entries())
    yield [`xl/worksheets/sheet${index + 1}.xml`, sheetXml(rows)];
}

function* sheetXml(rows: XlsxSheet["rows"]): Generator<string> {
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">`;
  yield '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>';
  let batch: string[] = [];
  for (const cells of rows) {
    batch.push(`<row>${cells.map(cellXml).join("")}</row>`);
    if (batch.length < BATCH_ROWS) continue;
    yield batch.join("");
    batch = [];
  }
  yield `${batch.join("")}</sheetData></worksheet>`;
}

function cellXml(cell: string | number | null): string {
  if (cell === null || cell === "") return "<c/>";
  if (typeof cell === "number") return `<c><v>${cell}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text in XML, without the letters that XML does not have. What looks like an escape of Excel's is made one. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, "")
    .replaceAll(/_(?=x[0-9A-F]{4}_)/gi, "_x005F_")
    .replaceAll(/[&<>"]/g, (letter) => entities[letter] ?? letter);
}
