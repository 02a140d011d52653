import { expect, test } from "bun:test";
import fc from "fast-check";
import type { PlanReading } from "#src/show/blueprints/plan-text/plan-reading.ts";
import { readPlanText } from "#src/show/blueprints/plan-text/read-plan-text.ts";

/** Names of all kinds: of columns in several languages, of answers, of what is not used, and none. */
const names = fc.uniqueArray(
  fc.constantFrom(
    ..."Answer 1,Answer 2,Antwort 3,Opción 4,True,False,Wahr,Zeit (min),Seconds,Durée,Min,Max,Wait,Result,Note,Colour,Points".split(
      ",",
    ),
    ..."Correct answer,Incorrect Answer 1,Incorrect Answer 2,Options,No.,Image link,Answer explanation".split(
      ",",
    ),
  ),
  { minLength: 1, maxLength: 8 },
);
const table = names.chain((chosen) =>
  fc.record({
    header: fc.shuffledSubarray(["Question", ...chosen], { minLength: chosen.length + 1 }),
    filled: fc.array(fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }), { minLength: 1, maxLength: 4 }),
  }),
);

/** Each cell has a text of its own, to be found again. */
const cellAt = (row: number, column: number) => `cell${row}x${column}z`;

/** Whether a text was read, or was left out by its own line or by the name of its column, or is named as an answer too many. */
function isSaid(
  { lines, leftOut }: PlanReading,
  { text, name, row }: { text: string; name: string; row: number },
) {
  const line = lines.find(({ texts }) => texts.title.includes(`cell${row}x`));
  return (
    lines.some(({ texts }) => Object.values(texts).some((read) => read.includes(text))) ||
    leftOut.some((left) => left.text.includes(text) || left.text === name) ||
    (line?.faults.some((fault) => fault.includes("answers")) ?? false)
  );
}

type Written = { reading: PlanReading; header: readonly string[]; filled: readonly (readonly boolean[])[] };

function expectAllSaid({ reading, header, filled }: Written): void {
  const cells = filled.flatMap((row, index) =>
    header.flatMap((name, column) =>
      row[column] === true || name === "Question" ? [{ text: cellAt(index, column), name, row: index }] : [],
    ),
  );
  expect(cells.filter((cell) => !isSaid(reading, cell))).toEqual([]);
}

test("each cell of a table is read, or its column is said to be left out", () => {
  fc.assert(
    fc.property(table, fc.constantFrom("\t", ";", ","), ({ header, filled }, separator) => {
      const rows = filled.map((row, index) =>
        header.map((name, column) =>
          row[column] === true || name === "Question" ? cellAt(index, column) : "",
        ),
      );
      const text = [header, ...rows].map((cells) => cells.join(separator)).join("\n");
      expectAllSaid({ reading: readPlanText(text), header, filled });
    }),
  );
});

test("each value in JSON is read, or its key is said to be left out", () => {
  fc.assert(
    fc.property(table, fc.boolean(), ({ header, filled }, isWrapped) => {
      const items = filled.map((row, index) =>
        Object.fromEntries(
          header.flatMap((name, column) => {
            if (row[column] !== true && name !== "Question") return [];
            return [
              [
                name,
                row[8] === true || name === "Question" ? cellAt(index, column) : [cellAt(index, column)],
              ],
            ];
          }),
        ),
      );
      const text = JSON.stringify(isWrapped ? { quiz: { questions: items } } : items);
      expectAllSaid({ reading: readPlanText(text), header, filled });
    }),
  );
});

test("each line below a question is read, or left out with a line", () => {
  fc.assert(
    fc.property(table, fc.constantFrom("- ", "   * **", ""), ({ header, filled }, mark) => {
      const parts = header.filter((name) => name !== "Question");
      const lines = filled.flatMap((row, index) => [
        `${index + 1}. Will ${cellAt(index, 0)} come?`,
        ...parts.flatMap((name, at) =>
          row[at + 1] === true
            ? [`${mark}${name}:${mark.endsWith("*") ? "**" : ""} ${cellAt(index, at + 1)}`]
            : [],
        ),
      ]);
      const reading = readPlanText(lines.join("\n"));
      expectAllSaid({ reading, header: ["Question", ...parts], filled });
    }),
  );
});
