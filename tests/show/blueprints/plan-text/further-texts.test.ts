import { expect, test } from "bun:test";
import { actionsIn, answered, readBack } from "./pasted-texts.ts";

const both = ["Rain? | Wet | Dry | 45", "Snow? | Yes | No | 20"];
/** The two actions, on these lines. */
const onLines = (...lines: number[]) => lines.map((line, index) => `${line}: ${both[index]}`);

test("a title over the table, as Excel's Unicode text of merged cells has it, is above the header", () => {
  const sheet =
    "Friday Quiz\t\t\t\r\n\t\t\t\r\nQuestion\tTrue label\tFalse label\tSeconds\r\nRain?\tWet\tDry\t45\r\n\t\t\t\r\nSnow?\tYes\tNo\t20\r\n";
  expect(readBack(sheet)).toEqual({
    actions: onLines(4, 6),
    leftOut: [
      "1: Friday Quiz (above the header)",
      "3: Question\tTrue label\tFalse label\tSeconds (the header)",
    ],
    fault: null,
  });
});

test("names of columns with a unit or a remark, as in the template of another quiz", () => {
  const rows = "1\tRain?\tWet\tDry\t45\t1\n2\tSnow?\tYes\tNo\t20\t2";
  const template =
    "\tQuestion - max 120 characters\tAnswer 1 - max 75 characters\tAnswer 2 - max 75 characters\tTime limit (sec) – 5, 10 or 20 secs\tCorrect answer(s) - choose one";
  expect(actionsIn(`${template}\n${rows}`)).toEqual([
    `2: ${answered("Rain? | Wet | Dry | 45", "Wet")}`,
    `3: ${answered("Snow? | Yes | No | 20", "No")}`,
  ]);
  expect(actionsIn(`#\tQuestion\tA\tB\tTime (s)\tPoints\n${rows}`)).toEqual(onLines(2, 3));
  expect(
    actionsIn('"Question";"Option 1";"Option 2";"Timer [s]"\n"Rain?";"Wet";"Dry";45\n"Snow?";"Yes";"No";20'),
  ).toEqual(onLines(2, 3));
});

test("cells merged over the labels make a header of two rows", () => {
  expect(
    actionsIn("Question\tLabels\t\tSeconds\n\tTrue\tFalse\t\nRain?\tWet\tDry\t45\nSnow?\tYes\tNo\t20"),
  ).toEqual(onLines(3, 4));
});

test.each(["\t", ","])(
  "a table that does not begin at the first column of its sheet, between %j",
  (between) => {
    const rows = [[], [], ["", "Rain?", "Wet", "Dry", "45"], ["", "Snow?", "Yes", "No", "20"]];
    expect(actionsIn(rows.map((cells) => cells.join(between).padEnd(4, between)).join("\n"))).toEqual(
      onLines(3, 4),
    );
  },
);

test("headings of rounds between the rows, and the sum below them, are no actions", () => {
  const sheet =
    "No.\tQuestion\tYes\tNo\tSeconds\nRound 1\t\t\t\t\n1\tRain?\tWet\tDry\t45\nRound 2: snow\t\t\t\t\n2\tSnow?\tYes\tNo\t20\nTotal\t\t\t\t65";
  expect(readBack(sheet)).toMatchObject({
    actions: onLines(3, 5),
    leftOut: [
      expect.stringContaining("the header"),
      "1: No. (a column that is not used)",
      "2: Round 1 (a heading)",
      "4: Round 2: snow (a heading)",
      "6: Total\t\t\t\t65 (a sum)",
    ],
  });
  expect(actionsIn("Round 1\nRain?\nRound 2 begins with snow?")).toEqual([
    "2: Rain?",
    "3: Round 2 begins with snow?",
  ]);
});

test("seconds as a spreadsheet shows them", () => {
  const seconds = ["00:00:30", "12:00:30 AM", "30.0", "30,00", '30"', "0'30\"", "30 sec."];
  const rows = seconds.map((text) => `A?\tYes\tNo\t${text}`);
  expect(actionsIn(rows.join("\n")).filter((action) => action.includes("!"))).toEqual([]);
});

test("quotes after a blank, as they are typed between commas", () => {
  expect(actionsIn('Question, Yes, No, Seconds\nRain?, "Wet, very", Dry, 45')).toEqual([
    "2: Rain? | Wet, very | Dry | 45",
  ]);
});

test("a list of Word with a line break in an item, fixed blanks and soft hyphens", () => {
  expect(actionsIn("1.\tRain\vto\u00ADmorrow?\r\n2.\tMore than\u00A03\u00A0goals?\r\n")).toEqual([
    "1: Rain tomorrow?",
    "2: More than 3 goals?",
  ]);
  expect(actionsIn("Rain?\vSnow?")).toEqual(["1: Rain?", "2: Snow?"]);
});

test.each([
  "1.\tRain?\r\na)\tWet\r\nb)\tDry\r\n2.\tSnow?\r\na)\tYes\r\nb)\tNo",
  "1. Rain?\nA. Wet\nB. Dry\n2. Snow?\nA. Yes\nB. No",
  "1. Rain?\n   - Wet\n   - Dry\n2. Snow?\n   - Yes\n   - No",
])("answers below their question are its labels: %j", (list) => {
  expect(actionsIn(list)).toEqual(["1: Rain? | Wet | Dry", "4: Snow? | Yes | No"]);
});

test("four answers are refused with the line of their question", () => {
  expect(actionsIn("1. Who wins?\na) Ana\nb) Ben\nc) Cleo\nd) Dan\n2. Snow?\na) Yes\nb) No")).toEqual([
    "1! It has 4 answers, and an action has two",
    "6: Snow? | Yes | No",
  ]);
  expect(actionsIn("A. Smith wins\nB. Jones wins")).toEqual(["1: A. Smith wins", "2: B. Jones wins"]);
});

test("what stands over a list is no action", () => {
  expect(readBack("Questions for tonight\n\n1. Rain?\n2. Snow?")).toEqual({
    actions: ["3: Rain?", "4: Snow?"],
    leftOut: ["1: Questions for tonight (above the list)"],
    fault: null,
  });
  expect(actionsIn("Rain tonight?\n• Snow?\n• Sun?")).toEqual(["1: Rain tonight?", "2: Snow?", "3: Sun?"]);
});

test.each(["I. Rain?\nII. Snow?", "☐ Rain?\n☑ Snow?", "1. **Rain?**\n2. **Snow?**"])(
  "numbers of Rome, boxes to tick, and bold letters are removed: %j",
  (list) => expect(actionsIn(list)).toEqual(["1: Rain?", "2: Snow?"]),
);
