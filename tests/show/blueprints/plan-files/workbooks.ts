import { strToU8, zipSync } from "fflate";

/** A packed file with these parts. */
export function pack(parts: Record<string, string | Uint8Array>): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, typeof part === "string" ? strToU8(part) : part]),
    ),
  );
}

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

type Sheets = Record<string, string>;
type More = { shared?: string; styles?: string; workbook?: string; hidden?: string };

/** A workbook of Excel, with the rows of each sheet in XML. */
export function xlsx(
  sheets: Sheets,
  { shared = "", styles = "", workbook = "", hidden = "" }: More = {},
): Uint8Array {
  const names = Object.keys(sheets);
  const state = (name: string) => (name === hidden ? ' state="hidden"' : "");
  return pack({
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": `<?xml version="1.0"?><workbook ${MAIN} xmlns:r="r">${workbook}<sheets>${names
      .map(
        (name, index) =>
          `<sheet name="${name}" sheetId="${index + 1}"${state(name)} r:id="rId${index + 1}"/>`,
      )
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${names
      .map(
        (_, index) =>
          `<Relationship Id="rId${index + 1}" Type="t" Target="worksheets/sheet${index + 1}.xml"/>`,
      )
      .join("")}</Relationships>`,
    "xl/sharedStrings.xml": `<sst ${MAIN}>${shared}</sst>`,
    "xl/styles.xml": `<styleSheet ${MAIN}>${styles}</styleSheet>`,
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet ${MAIN}><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
  });
}

/** A row of texts that stand in their cells. */
export const row = (...texts: string[]) =>
  `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join("")}</row>`;

const SPACES = "office table text"
  .split(" ")
  .map((name) => `xmlns:${name}="${name}"`)
  .join(" ");

/** A workbook of LibreOffice, with the rows of each sheet in XML. */
export function ods(sheets: Sheets): Uint8Array {
  const tables = Object.entries(sheets).map(
    ([name, rows]) => `<table:table table:name="${name}">${rows}</table:table>`,
  );
  return pack({
    mimetype: "application/vnd.oasis.opendocument.spreadsheet",
    "content.xml": `<office:document-content ${SPACES}><office:body><office:spreadsheet>${tables.join("")}</office:spreadsheet></office:body></office:document-content>`,
  });
}
