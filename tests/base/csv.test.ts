import { expect, test } from "bun:test";
import fc from "fast-check";
import { parse } from "papaparse";
import { csvLine } from "#src/base/csv.ts";
import { expectLinear, repeatedTexts } from "#tests/support/cost-of.ts";

const starts = ["=", "+", "-", "@", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"];
const piece = fc.constantFrom(...starts, "1", "x", " ", "'", '"', '"', ",", ";", ";", "\t", "\r", "\n");
const cells = fc.array(
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
  { minLength: 1, maxLength: 4 },
);

/** Every cell that a spreadsheet may make of a line: by these separators, with quotes or without regard to them. */
const cellsOf = (line: string) => [
  ...[",", ";", "\t"].flatMap((delimiter) =>
    parse<string[]>(line, { delimiter, newline: "\r\n" }).data.flat(),
  ),
  ...line.split(/[;\t\r\n]/).map((cell) => cell.replace(/^[\s"]+/, "")),
];

test("no text is a formula, whatever separates the cells in a country", () => {
  const isFormula = (cell: string) => starts.some((start) => cell.trimStart().startsWith(start));
  expect(cellsOf(csvLine(["ok", "x;=1+1;y"]))).toContain("'=1+1");
  fc.assert(
    fc.property(cells, (texts) => {
      expect(cellsOf(csvLine(texts)).filter(isFormula)).toEqual([]);
    }),
    { numRuns: 3_000 },
  );
});

test("a cell is made safe by going through it, whatever it is made of", async () => {
  for (const letters of repeatedTexts)
    await expectLinear(JSON.stringify(letters), 400_000, (size) =>
      csvLine([letters.repeat(size / letters.length)]),
    );
});

test("cells are quoted where necessary, and amounts are numbers, also below zero", () => {
  expect(csvLine(["plain", 'say "hi"', "one, two", "one; two", "a\nb", null, -2.5])).toBe(
    'plain,"say ""hi""","one, two","one; two","a\nb",,-2.5\r\n',
  );
  for (const evil of ["=1+1", "+1", "-1", "@SUM(A1)", "  =1", "\u{FF1D}1"])
    expect(csvLine([evil])).toBe(`'${evil}\r\n`);
});

test("where cells are separated by commas, each is read as the text that it is, but for its apostrophes", () => {
  const bare = (text: string) => text.replaceAll("'", "");
  fc.assert(
    fc.property(cells, (texts) => {
      const { data } = parse<string[]>(csvLine(texts).slice(0, -2), { delimiter: ",", newline: "\r\n" });
      if (texts.length > 1) expect(data.flat().map(bare)).toEqual(texts.map(bare));
    }),
  );
});
