import { expect, test } from "bun:test";
import { columnNames, planColumns } from "#src/show/blueprints/plan-text/columns.ts";
import { readPlanText } from "#src/show/blueprints/plan-text/read-plan-text.ts";
import { actionsIn, answered, readBack } from "./pasted-texts.ts";

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

test("Excel's Unicode text is read, with its tabs", () => {
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

test("LibreOffice's CSV is read: commas, every text in quotes, numbers without", () => {
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

test("bullets of Word are left out, also one of a symbol font", () => {
  expect(actionsIn("•\tRain?\n\uF0B7\tSnow?\no\tSun?")).toEqual(["1: Rain?", "2: Snow?", "3: Sun?"]);
});

test("a list and a table in Markdown are read", () => {
  expect(readBack("# Round 1\n- [ ] Rain?\n* Snow, or sun?\n\n---\n3. period: a goal?")).toEqual({
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

test("questions with commas are told from rows with commas", () => {
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

test("lists name what more there is in seven languages and as other tools do, and a named file is left out with a line", () => {
  const header = columnNames.title;
  const heads = [
    ["explanation", "host note"],
    ["fun fact", "presenter notes"],
    ["Erklärung", "Notizen"],
    ["Explication", "Remarque"],
    ["Explicación", "Notas"],
    ["Spiegazione", "Appunti"],
    ["Explicação", "Observação"],
    ["Uitleg", "Opmerking"],
  ];
  for (const head of heads) {
    const [line] = readPlanText(`${[header, ...head].join("\t")}\nRain?\tIt is autumn\tTrue`).lines;
    expect([head, line?.texts.explanation, line?.texts.hostNote]).toEqual([head, "It is autumn", "True"]);
  }
  const read = readPlanText("question,image,alt text\nRain?,rain.png,A cloud\nSnow?,,");
  expect(read.lines.map(({ texts }) => [texts.picture, texts.pictureAlt])).toEqual([
    ["", ""],
    ["", ""],
  ]);
  expect(read.leftOut.slice(1).map(({ line, text, why }) => [line, text, why])).toEqual([
    [2, "rain.png", "pictures are added in the editor"],
    [2, "A cloud", "pictures are added in the editor"],
  ]);
  const before = planColumns.slice(0, 11).map((column) => columnNames[column]);
  const [old] = readPlanText(`${before.join(",")}\n1. Rain?,Yes,No,30,by hand,1,,0,60,,Old`).lines;
  expect(old?.texts).toMatchObject({ title: "1. Rain?", description: "Old", explanation: "" });
});
