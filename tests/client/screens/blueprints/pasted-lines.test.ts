import { expect, test } from "bun:test";
import { bodyOfLines, parseLines, withErrors } from "#client/screens/blueprints/parse-lines.ts";

const defaults = { trueLabel: "True", falseLabel: "False", durationSeconds: "30" };
const read = (text: string) => parseLines(text, defaults);

test("a line is a question, two labels and seconds; omitted parts have the defaults", () => {
  const lines = read(
    "Home to win the toss? | Heads | Tails | 45\r\nGoal?\nCard? | Yes\n Corner? || No | 5 s ",
  );
  expect(lines.map(({ event }) => Object.values(event))).toEqual([
    ["Home to win the toss?", "Heads", "Tails", "45"],
    ["Goal?", "True", "False", "30"],
    ["Card?", "Yes", "False", "30"],
    ["Corner?", "True", "No", "5"],
  ]);
  expect(lines.flatMap(({ problems }) => problems)).toEqual([]);
});

test("columns of a spreadsheet are parsed too", () => {
  expect(read("Goal?\tYes\tNo\t20")[0]?.event).toEqual({
    title: "Goal?",
    trueLabel: "Yes",
    falseLabel: "No",
    durationSeconds: "20",
  });
});

test("line numbers include empty lines", () => {
  expect(read("\nA?\n\n  \nB?\n").map(({ number }) => number)).toEqual([2, 5]);
  expect(read(" \n\n")).toEqual([]);
});

test.each([
  ["| Yes | No | 30", "Question can't be blank"],
  [`${"x".repeat(141)}`, "Question is too long (maximum is 140 characters)"],
  [`A? | ${"x".repeat(26)}`, "True Label is too long (maximum is 25 characters)"],
  [`A? | Yes | ${"x".repeat(26)}`, "False Label is too long (maximum is 25 characters)"],
  ["A? | Yes | No | soon", "Duration is not a number"],
  ["A? | Yes | No | 7.5", "Duration must be an integer"],
  ["A? | Yes | No | 4", "Duration must be greater than or equal to 5"],
  ["A? | Yes | No | -1", "Duration must be greater than or equal to 5"],
  ["A? | Yes | No | 1801", "Duration must be less than or equal to 1800"],
  ["A? | Yes | No | 30 | 5", "Duration is not a number"],
])("the error of %j is: %s", (line, problem) => {
  expect(read(line)[0]?.problems).toEqual([problem]);
});

test("omitted parts are not sent, and invalid ones are sent as typed", () => {
  const offsetSeconds = 8;
  expect(bodyOfLines("A? | Yes\n\nB? | | | soon\nC?|Yes|No|45", 8)).toEqual([
    { title: "A?", trueLabel: "Yes", falseLabel: undefined, offsetSeconds, durationSeconds: undefined },
    { title: "B?", trueLabel: undefined, falseLabel: undefined, offsetSeconds, durationSeconds: "soon" },
    { title: "C?", trueLabel: "Yes", falseLabel: "No", offsetSeconds, durationSeconds: 45 },
  ]);
});

test("a line opens 8 s after the one before it has closed; the first of a blueprint opens with the start", () => {
  expect(bodyOfLines("A?\nB?\nC?", 0).map(({ offsetSeconds }) => offsetSeconds)).toEqual([0, 8, 8]);
});

test("the API's errors are shown at their line, once", () => {
  const lines = read("A?\n\nB? | | | 4\nC?");
  const linesWithErrors = withErrors(lines, {
    "blueprintEvents.1.durationSeconds": ["must be greater than or equal to 5"],
    "blueprintEvents.2.title": ["is invalid"],
    blueprint: ["is too long (maximum is 200 events)"],
  });
  expect(linesWithErrors.map(({ number, problems }) => [number, problems])).toEqual([
    [1, []],
    [3, ["Duration must be greater than or equal to 5"]],
    [4, ["Question is invalid"]],
  ]);
});
