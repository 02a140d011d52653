import { expect, test } from "bun:test";
import {
  PLAN_LINE_LENGTH_MAX,
  PLAN_LINES_MAX,
  PLAN_TEXT_MAX,
} from "#src/show/blueprints/plan-text/contract.ts";
import { readPlanText } from "#src/show/blueprints/plan-text/read-plan-text.ts";
import { expectLinear, repeatedTexts } from "#tests/support/cost-of.ts";
import { readBack } from "./pasted-texts.ts";

// The browser reads a list as it is pasted, and the server reads an import between all other requests. So no text may cost more than
// to go through it.

const texts = [...repeatedTexts].concat([
  "1. ",
  "? ",
  "a? ",
  "a\n",
  "• a\n",
  '"a\n',
  '"a",',
  '",\n',
  ', "',
  ",“",
  "a,",
  "q,",
  "1\t\n",
  "**a",
  "[x] ",
  "True: a\n",
  "- a / b\n",
  "(a/",
]);
const isBreak = /[\n\v\r\u2028\u2029]/;
const fill = (letters: string, length: number) => letters.repeat(length / letters.length);

/** Where a run of letters may stand in a line. */
const inLine: Record<string, (run: string) => string> = {
  "at the end of a question": (run) => `1. Rain${run}x`,
  "between questions": (run) => `Rain? ${run}x`,
  "in a heading": (run) => `Round 1${run}x`,
  "in a sum": (run) => `total${run}x\ta`,
  "in a cell between tabs": (run) => `Rain?\t${run}x\tNo\t30`,
  "in a cell between commas": (run) => `Rain?,${run}x,No,30`,
  "in a cell between bars": (run) => `Rain?|${run}x|No|30`,
  "in the name of a column": (run) => `Question,True label,Fa${run}x\nRain?,Yes,No`,
  "in a duration": (run) => `Rain?\tYes\tNo\t1h${run}x`,
  "in a start": (run) => `Rain?\tYes\tNo\t30\tafter ${run}x\t1${run}x`,
};
const inText: Record<string, (run: string) => string> = {
  "a whole text": (run) => run,
  "a text below a question": (run) => `1. Rain?\n${run}`,
  "a text below our header": (run) =>
    `question,true label,false label,seconds,start,min,max,wait,result within,result,description\n${run}`,
  "a question in JSON": (run) => JSON.stringify([`1. ${run}x`]),
  "a key in JSON": (run) => JSON.stringify([{ [run]: "Rain?" }]),
  "JSON with a mistake": (run) => `["Rain?",${run}]`,
};

/** So many lines of nearly the longest. */
const LINES = 10;
const LINE_LENGTH = 0.45 * PLAN_LINE_LENGTH_MAX;

test.each(texts)(
  "a text is read by going through it, whatever it is made of: %j again and again",
  async (letters) => {
    for (const [where, lineOf] of isBreak.test(letters) ? [] : Object.entries(inLine))
      await expectLinear(`${JSON.stringify(letters)} ${where}`, LINE_LENGTH, (length) =>
        readBack(`${lineOf(fill(letters, length))}\n`.repeat(LINES)),
      );
    for (const [where, textOf] of Object.entries(inText))
      await expectLinear(`${JSON.stringify(letters)} as ${where}`, PLAN_TEXT_MAX / 4, (length) =>
        readBack(textOf(fill(letters, length))),
      );
  },
);

test("a text is read by going through it, whatever it is made of: a long list in JSON", async () => {
  await expectLinear("a list", PLAN_TEXT_MAX / 4, (count) =>
    readPlanText(`[${'"a",'.repeat(count - 1)}"a"]`),
  );
});

const nested = (open: string, close: string) => open.repeat(15_000) + close.repeat(15_000);
test.each([nested("[", "]"), nested('{"blueprint":[', "]}"), "[".repeat(PLAN_TEXT_MAX)])(
  "nothing is read of a text in JSON that is nested too deeply",
  (text) => {
    expect(readBack(text)).toEqual({ actions: [], leftOut: [], fault: "It is nested too deeply" });
  },
);

test("nothing is read of a text with a line that is too long, or with too many lines, in whatever form", () => {
  const line = "a".repeat(PLAN_LINE_LENGTH_MAX);
  expect(readBack(line).fault).toBeNull();
  expect(readBack(`Rain?\n${line}Rain?`)).toEqual({
    actions: [],
    leftOut: [],
    fault: "It has a line that is too long (maximum is 20000 characters)",
  });
  const fault = "It has too many lines (maximum is 1000): bring it in parts";
  const list = (count: number) => Array.from({ length: count }, (_, index) => `Rain on day ${index}?`);
  expect(readBack(list(PLAN_LINES_MAX).join("\n")).fault).toBeNull();
  const many = list(PLAN_LINES_MAX + 1);
  for (const text of [many.join("\n"), many.join(",Yes,No\n"), JSON.stringify(many), "***\n".repeat(1_001)])
    expect(readBack(text)).toEqual({ actions: [], leftOut: [], fault });
});
