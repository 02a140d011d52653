import { expect, test } from "bun:test";
import fc from "fast-check";
import { strToU8 } from "fflate";
import { Refusal } from "#src/base/refusal.ts";
import { writeXlsx } from "#src/base/xlsx.ts";
import { actionsIn, readBack } from "../plan-text/pasted-texts.ts";
import { read } from "./read-file.ts";
import { ods, pack, row, xlsx } from "./workbooks.ts";

/** Why a file is refused. */
async function faultOf(bytes: Uint8Array): Promise<string | undefined> {
  const refusal = await read(bytes).catch((error: unknown) => error);
  if (!(refusal instanceof Refusal)) throw new Error("the file was not refused");
  expect(refusal.status).toBe(422);
  return refusal.details.errors?.["file"]?.[0];
}

const TIMES = `<numFmts><numFmt numFmtId="164" formatCode="[$-409]h:mm:ss\\ AM/PM;@"/><numFmt numFmtId="165" formatCode="&quot;sec &quot;0"/></numFmts>
<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
<cellXfs><xf numFmtId="0"/><xf numFmtId="20"/><xf numFmtId="21"/><xf numFmtId="45"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="9"/><xf numFmtId="14"/></cellXfs>`;
const THIRTY_S = 30 / 86_400;
const THIRTY_MIN = 1_800 / 86_400;

test("a workbook of Excel has its shared texts, without what says how they are pronounced", async () => {
  const shared =
    '<si><t>Question</t></si><si><r><t>Will it </t></r><r><rPr><b/></rPr><t xml:space="preserve">rain &amp; snow?</t></r></si><si><t>日本</t><rPh sb="0" eb="2"><t>ニホン</t></rPh></si><si><t>two_x000D_\nlines</t></si>';
  const rows =
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>True label</t></is></c><c r="C1" t="inlineStr"><is><t>False label</t></is></c></row>' +
    '<row r="4"><c r="A4" t="s"><v>1</v></c><c r="B4" t="s"><v>2</v></c><c r="C4" t="s"><v>3</v></c></row>';
  const { text } = await read(xlsx({ Sheet1: rows }, { shared }));
  expect(actionsIn(text)).toEqual(["4: Will it rain & snow? | 日本 | two lines"]);
});

test("a workbook of Excel has formulas as the values that they had, and numbers as people see them", async () => {
  const cells = [
    "<c><f>1+2</f><v>3</v></c>",
    "<c><f>1+2</f></c>",
    '<c t="str"><f>A1</f><v></v></c>',
    '<c t="str"><f>A1&amp;"?"</f><v>Rain?</v></c>',
    '<c t="b"><v>1</v></c>',
    '<c t="e"><v>#N/A</v></c>',
    "<c><v>0.30000000000000004</v></c>",
    "<c><v>1.0E3</v></c>",
    '<c s="6"><v>0.5</v></c>',
    '<c s="7"><v>46355</v></c>',
  ];
  const { text } = await read(xlsx({ Sheet1: `<row>${cells.join("")}</row>` }, { styles: TIMES }));
  expect(text).toBe("3\t=1+2\t\tRain?\tTrue\t#N/A\t0.3\t1000\t50%\t2026-11-29");
});

test("a workbook of Excel has times as seconds, whatever their format", async () => {
  const time = (style: number, value: number) =>
    `<row><c t="inlineStr"><is><t>Rain?</t></is></c><c/><c/><c s="${style}"><v>${value}</v></c></row>`;
  const rows = [
    time(1, THIRTY_MIN),
    time(1, THIRTY_S),
    time(2, THIRTY_S),
    time(3, THIRTY_S),
    time(4, THIRTY_S),
    time(5, 30),
    time(0, 30),
  ];
  const header = row("Question", "True", "False", "Seconds");
  const { text } = await read(xlsx({ Sheet1: header + rows.join("") }, { styles: TIMES }));
  const seconds = readBack(text).actions.map((action) => action.split(" | ").at(-1));
  expect(seconds).toEqual(["0:30", "0:00:30", "0:00:30", "0:30", "0:00:30", "30", "30"]);
  expect(readBack(text).actions.filter((action) => action.includes("!"))).toEqual([]);
});

test("a workbook of Excel of a Mac counts days from 1904; one of another program may have prefixes at its elements, and no numbers at its rows", async () => {
  const workbook = '<workbookPr date1904="1"/>';
  const sheets = { Sheet1: '<row><c s="7"><v>44893</v></c></row>' };
  expect((await read(xlsx(sheets, { styles: TIMES, workbook }))).text).toBe("2026-11-29");
  const bytes = pack({
    "xl/workbook.xml":
      '<x:workbook xmlns:x="m" xmlns:r="r"><x:sheets><x:sheet name="A" r:id="a"/></x:sheets></x:workbook>',
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="a" Target="/xl/worksheets/one.xml"/></Relationships>',
    "xl/worksheets/one.xml":
      '<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c/><x:c t="inlineStr"><x:is><x:t>Rain?</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>',
  });
  expect((await read(bytes)).text).toBe("\tRain?");
});

test("a workbook of another program is read by its first sheet with a text; another one can be chosen, hidden ones too", async () => {
  const sheets = { Hidden: row("No?"), Empty: "<row/>", "Q &amp; A": row("Rain?"), Help: row("Sun?") };
  const bytes = xlsx(sheets, { hidden: "Hidden" });
  expect(await read(bytes)).toEqual({
    text: "Rain?",
    kind: "sheet",
    readAs: "Q & A",
    choices: ["Empty", "Q & A", "Help", "Hidden"].map((name) => ({ value: name, label: name })),
    leftOut: ['The sheet "Help" and 1 more were not read: choose another sheet to read it instead.'],
  });
  expect((await read(bytes, { readAs: "Help" })).text).toBe("Sun?");
  expect((await read(bytes, { readAs: "Gone" })).text).toBe("Rain?");
});

test("a workbook of another program that the product has written is read as it was, whatever its texts are", async () => {
  const cell = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
    .map((text) => `a${text}_x0041_=1`);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), async (rows) => {
      const pieces = await Array.fromAsync(writeXlsx([{ name: "A & <B>", rows }]));
      const { text, readAs } = await read(Buffer.concat(pieces));
      const clean = (texts: readonly string[]) =>
        texts.map((each) => each.toWellFormed().replaceAll(/[^\P{Cc}\n\r]|[\uFFFE\uFFFF]/gu, ""));
      const back = text.split("\n").map((line) => line.split("\t"));
      expect(readAs).toBe("A & <B>");
      if (!rows.flat().some((each) => /[\r\n]|^"/.test(each)))
        expect(back.map((cells) => cells.map((each) => each.replaceAll(" ", "")))).toEqual(
          rows.map((cells) => clean(cells).map((each) => each.replaceAll(" ", ""))),
        );
    }),
    { numRuns: 50 },
  );
});

test("a workbook of LibreOffice, with repeated cells, a comment, a formula and a time", async () => {
  const text = (content: string, attributes = "") =>
    `<table:table-cell office:value-type="string" ${attributes}><text:p>${content}</text:p></table:table-cell>`;
  const rows =
    `<table:table-header-rows><table:table-row>${text("Frage")}${text("Antwort 1")}${text("Antwort 2")}${text("Zeit")}</table:table-row></table:table-header-rows>` +
    `<table:table-row>${text('Rain<text:s text:c="2"/><text:span>and <text:a>snow</text:a></text:span>?<office:annotation><text:p>ask Ana</text:p></office:annotation>')}${text("Yes")}${text("No")}<table:table-cell office:value-type="time" office:time-value="PT00H00M30S"><text:p>00:00:30</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16380"/></table:table-row>` +
    `<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>` +
    `<table:table-row>${text("Sun?")}${text("Same", 'table:number-columns-repeated="2"')}<table:table-cell table:formula="of:=15*3" office:value-type="float" office:value="45"><text:p>45,0</text:p></table:table-cell></table:table-row>` +
    `<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>`;
  const { text: read1, choices } = await read(
    ods({ Fragen: rows, Hilfe: `<table:table-row>${text("?")}</table:table-row>` }),
  );
  expect(actionsIn(read1)).toEqual([
    "2: Rain and snow? | Yes | No | 00:00:30",
    "5! False Label must differ from the True Label",
  ]);
  expect(choices.map(({ value }) => value)).toEqual(["Fragen", "Hilfe"]);
});

const picturesLeft = [
  "Pictures and charts in the sheet were left out: give a question its picture once it is brought in.",
];

test("a workbook says that its pictures were left out, in cells and on the sheet, and reads no text of them", async () => {
  const inCell = '<row><c t="inlineStr"><is><t>Rain?</t></is></c><c t="e" vm="1"><v>#VALUE!</v></c></row>';
  expect(await read(xlsx({ A: inCell }))).toMatchObject({ text: "Rain?", leftOut: picturesLeft });
  const sheet = await read(xlsx({ A: `${row("Rain?")}</sheetData><drawing/><sheetData>` }));
  expect(sheet).toMatchObject({ text: "Rain?", leftOut: picturesLeft });
  const frame = "<table:frame><table:image/><text:p>A cloud</text:p></table:frame>";
  const cells = `<table:table-cell><text:p>Rain?</text:p>${frame}</table:table-cell>`;
  const drawn = await read(ods({ A: `<table:table-row>${cells}</table:table-row>`, B: "" }));
  expect(drawn).toMatchObject({
    text: "Rain?",
    leftOut: ['The sheet "B" was not read: choose another sheet to read it instead.', ...picturesLeft],
  });
});

const zeros = new Uint8Array(24 * 1_048_576);
const tooLarge = "This workbook is too large. Keep the sheet with the questions alone, or save it as CSV.";
const broken = "This workbook is broken. Open it and save it again, or save it as CSV.";

test("a file is refused with what to do: one that unpacks to more than a workbook has, whatever its head says of it", async () => {
  const bomb = pack({ "xl/workbook.xml": "<workbook/>", "xl/worksheets/sheet1.xml": zeros });
  expect(await faultOf(bomb)).toBe(tooLarge);
  const lying = bomb.slice();
  const view = new DataView(lying.buffer);
  for (let at = 0; at < lying.length - 4; at += 1) {
    if (view.getUint32(at, true) === 0x04034b50) view.setUint32(at + 22, 10, true);
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 10, true);
  }
  expect(await faultOf(lying)).toBe(tooLarge);
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`xl/worksheets/${index}.xml`, "<a/>"]),
  );
  expect(await faultOf(pack(many))).toBe(tooLarge);
});

test("a file is refused with what to do: one with entities that multiply, elements without an end, and broken parts", async () => {
  const entity = `<!DOCTYPE a [<!ENTITY a "${"b".repeat(100)}"><!ENTITY c "${"&a;".repeat(100)}">]>`;
  const parts = (sheet: string) => ({
    "xl/workbook.xml": '<workbook xmlns:r="r"><sheet name="A" r:id="a"/></workbook>',
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="a" Target="worksheets/a.xml"/></Relationships>',
    "xl/worksheets/a.xml": sheet,
  });
  const sheets = [
    `${entity}<a><row><c><v>&c;</v></c></row></a>`,
    "<a><row",
    "<a></b>",
    '<a><row><c r="1"><v>1</v></c></row></a>',
  ];
  for (const sheet of sheets) expect(await faultOf(pack(parts(sheet)))).toBe(broken);
});

test("a file is refused with what to do: one that was cut off, at whatever byte", async () => {
  const whole = xlsx({ Sheet1: row("Rain?", "Yes", "No") });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 8, max: whole.length - 200 }), async (length) => {
      const outcome = await read(whole.subarray(0, length)).catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toMatchObject({ status: 422 });
    }),
  );
});

const start = (text: string) => Buffer.from(text, "latin1");

test("too much in a sheet, or nothing: one with a cell far to the right; one far below is a line too many", async () => {
  expect(await faultOf(xlsx({ A: '<row><c r="XFD1"><v>1</v></c></row>' }))).toContain("beyond column 100");
  const { text } = await read(
    xlsx({ A: `${row("Rain?")}<row r="1048576"><c r="A1048576"><v>1</v></c></row>` }),
  );
  expect(text.split("\n")).toHaveLength(10_001);
  const rows = Array.from({ length: 2_000 }, (_, index) => row(`Rain on day ${index}?`)).join("");
  expect(readBack((await read(xlsx({ A: rows }))).text).fault).toContain("too many lines");
  const repeated = ods({
    A: '<table:table-row table:number-rows-repeated="1048576"><table:table-cell><text:p>Rain?</text:p></table:table-cell></table:table-row>',
  });
  expect(readBack((await read(repeated)).text).fault).toContain("too many lines");
});

test("too much in a sheet, or nothing: one that is no workbook and no text, or has no texts", async () => {
  expect(await faultOf(start("\u00D0\u00CF\u0011\u00E0\u00A1"))).toContain("Save it as .xlsx");
  expect(await faultOf(start("%PDF-1.7"))).toContain("paste them here");
  expect(await faultOf(start("{\\rtf1"))).toContain("paste them here");
  expect(await faultOf(pack({ "word/document.xml": "<a/>" }))).toContain("This is a document");
  expect(await faultOf(xlsx({ A: "<row/>" }))).toBe("This workbook has no texts.");
  expect(await faultOf(strToU8("PK\u0003\u0004 and no more"))).toBeDefined();
});
