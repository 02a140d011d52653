import { expect, test } from "bun:test";
import { actionsIn, readBack } from "./pasted-texts.ts";

test("Excel's CSV in a country of decimal commas: semicolons, quotes, empty rows at the end", () => {
  const text =
    '\uFEFFQuestion;True label;False label;Seconds;Min\r\n"Wins Ana; or Ben?";Ana;Ben;30;1,50\r\n' +
    '"He says ""no"", again?";Yes;No;"0:45";\r\n;;;;\r\n;;;;\r\n';
  expect(readBack(text)).toEqual({
    actions: ["2: Wins Ana; or Ben? | Ana | Ben | 30 |  | 1,50", '3: He says "no", again? | Yes | No | 0:45'],
    leftOut: ["1: Question;True label;False label;Seconds;Min (the header)"],
    fault: null,
  });
});

test("Excel's CSV with its line that names the separator", () => {
  expect(actionsIn("sep=;\r\nQuestion;Seconds\r\nRain, or snow?;1 min\r\n")).toEqual([
    "3: Rain, or snow? |  |  | 1 min",
  ]);
});

test("Excel's Unicode text, with tabs", () => {
  const text = 'Question\tTrue label\tFalse label\r\n"größer als ""10""?"\tJa\tNein\r\n日本 wins?\t\t\r\n';
  expect(actionsIn(text)).toEqual(['2: größer als "10"? | Ja | Nein', "3: 日本 wins?"]);
});

test("cells copied from Google Sheets: tabs, a line break in a cell, an empty first cell, a bar", () => {
  const text = 'Will it\train\tstay dry\t30\n"Two\nlines?"\tYes\tNo\t45\n\tUp\tDown\t20\nA | B?\tA\tB\t15';
  expect(actionsIn(text)).toEqual([
    "1: Will it | rain | stay dry | 30",
    "2: Two lines? | Yes | No | 45",
    "4! Question can't be blank",
    "5: A | B? | A | B | 15",
  ]);
});

test("LibreOffice's CSV: commas, every text in quotes, numbers without", () => {
  expect(actionsIn('"Goal, or not?","Goal","No goal",30\n"Card?","Yes","No",7.5\n')).toEqual([
    "1: Goal, or not? | Goal | No goal | 30",
    "2! Duration must be an integer",
  ]);
});

test("a numbered list of Word, with typographic quotes and its dashes", () => {
  expect(actionsIn("1.\tWill “Nova” win?\r\n2.\tMore than 3 – or 4 – goals?\r\n3.\tA, B or C?")).toEqual([
    "1: Will “Nova” win?",
    "2: More than 3 – or 4 – goals?",
    "3: A, B or C?",
  ]);
});

test("bullets of Word, one of them of a symbol font", () => {
  expect(actionsIn("•\tRain?\n\uF0B7\tSnow?\no\tSun?")).toEqual(["1: Rain?", "2: Snow?", "3: Sun?"]);
});

test("a list and a table in Markdown", () => {
  const list = readBack("# Round 1\n- [ ] Rain?\n* Snow, or sun?\n\n---\n3. period: a goal?");
  expect(list).toEqual({
    actions: ["2: Rain?", "3: Snow, or sun?", "6: 3. period: a goal?"],
    leftOut: ["1: # Round 1 (a heading)", "5: --- (no words in it)"],
    fault: null,
  });
  expect(actionsIn("| Question | Yes | No |\n|---|:-:|---|\n| Rain? | Wet | Dry |")).toEqual([
    "3: Rain? | Wet | Dry",
  ]);
});

test("JSON of ours, with the action named whose value is wrong", () => {
  const events = [
    { title: "Rain?", true_label: "Wet", duration_seconds: 45, max_wager: null },
    { title: "Snow?", durationSeconds: 2 },
  ];
  const text = JSON.stringify({ blueprint: { name: "Derby", blueprint_events: events } }, null, 1);
  expect(actionsIn(text)).toEqual([
    "5: Rain? | Wet |  | 45",
    "11! Duration must be greater than or equal to 5",
  ]);
});

test("JSON as a list of texts; broken JSON names its line", () => {
  expect(actionsIn('["1. Rain?", "2. Snow?"]')).toEqual(["1: Rain?", "1: Snow?"]);
  expect(readBack('[\n "Rain?"\n "Snow?"\n]')).toEqual({
    actions: [],
    leftOut: [],
    fault: "Line 3: this is not JSON (comma expected)",
  });
  expect(readBack('{"a": 1}').fault).toContain("no list of actions");
});

test("a header in another order, with a column for numbers and one that is unknown", () => {
  const text =
    "No.,Seconds,False label,Colour,Question,True label\n1,30,Dry,red,Rain?,Wet\n2,,,blue,Snow?,\n";
  expect(readBack(text)).toEqual({
    actions: ["2: Rain? | Wet | Dry | 30", "3: Snow?"],
    leftOut: [
      "1: No.,Seconds,False label,Colour,Question,True label (the header)",
      "1: No. (a column that is not used)",
      "1: Colour (a column that is not used)",
    ],
    fault: null,
  });
});

test("a list that lost its line breaks", () => {
  expect(actionsIn("1. Rain? 2. Snow, or 3 hours of sun? 3. Wind?")).toEqual([
    "1: Rain?",
    "1: Snow, or 3 hours of sun?",
    "1: Wind?",
  ]);
  expect(actionsIn("• Rain? • Snow?")).toEqual(["1: Rain?", "1: Snow?"]);
  const long = Array.from({ length: 12 }, (_, index) => `Will number ${index} come in time?`);
  expect(actionsIn(long.join(" "))).toEqual(long.map((title) => `1: ${title}`));
});

test("questions with commas among rows with commas", () => {
  expect(actionsIn('Ana, Ben or Cleo?\n"Rain, or snow?",Rain,Snow,30\nSun today,Yes,No')).toEqual([
    "1: Ana, Ben or Cleo?",
    "2: Rain, or snow? | Rain | Snow | 30",
    "3: Sun today | Yes | No",
  ]);
});

test("quotes of Word around a cell; quotes that do not match spoil one line only", () => {
  expect(actionsIn("“Rain, or snow?”,Rain,Snow,30")).toEqual(["1: Rain, or snow? | Rain | Snow | 30"]);
  expect(actionsIn('"Rain?,Wet,Dry,30\nSnow?,Yes,No,30\nSun?,Yes,No,30')).toEqual([
    '1! The quotes do not match; write "" for a quote inside quotes',
    "2: Snow? | Yes | No | 30",
    "3: Sun? | Yes | No | 30",
  ]);
  expect(actionsIn('5" of snow?\tYes\tNo\n"Rain" he said?\tYes\tNo')).toEqual([
    '1: 5" of snow? | Yes | No',
    '2: "Rain" he said? | Yes | No',
  ]);
});

test.each([
  "1. A?\n2. B?",
  "1) A?\n2) B?",
  "(1) A?\n(2) B?",
  "Q1: A?\nQ2: B?",
  "a) A?\nb) B?",
  "[1] A?\n[2] B?",
])("numbers are removed from %j", (text) => expect(actionsIn(text)).toEqual(["1: A?", "2: B?"]));

test("numbers that are part of the question stay", () => {
  expect(actionsIn("2026 is warm?\n3 goals?\n10:1 at half time?\n-5 degrees?")).toEqual([
    "1: 2026 is warm?",
    "2: 3 goals?",
    "3: 10:1 at half time?",
    "4: -5 degrees?",
  ]);
});

test("nothing at all, and signs without a word", () => {
  expect(readBack(" \n\n")).toEqual({ actions: [], leftOut: [], fault: null });
  expect(readBack("---\n").leftOut).toEqual(["1: --- (no words in it)"]);
});
