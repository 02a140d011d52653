import { expect, test } from "bun:test";
import {
  bodyOf,
  checkFields,
  type EventFields,
  fieldsOf,
  previewOf,
} from "#client/blueprints/event-fields.ts";
import {
  formatLength,
  lengthText,
  type Planned,
  planTimes,
  startText,
} from "#client/blueprints/plan-times.ts";
import type { FieldErrors } from "#client/ui/field.tsx";
import { Refusal } from "#src/base/refusal.ts";
import { checkInput } from "#src/http/check-input.ts";
import { type BlueprintEventView, createBlueprintEventBody } from "#src/show/blueprints/schemas.ts";
import { planEvents } from "#src/show/sessions/start-session.ts";

const after = (offsetSeconds: number, durationSeconds: number): Planned => ({
  startMode: "after_previous",
  offsetSeconds,
  durationSeconds,
});
const at = (offsetSeconds: number, durationSeconds: number): Planned => ({
  startMode: "offset",
  offsetSeconds,
  durationSeconds,
});
const waiting = (startMode: "after_result" | "by_hand", offsetSeconds: number): Planned => ({
  startMode,
  offsetSeconds,
  durationSeconds: 30,
});
const derby = [after(0, 30), at(120, 120), after(0, 60), after(12, 30), at(200, 10), after(5, 5)];

test("planned times are those of a session of the blueprint", () => {
  const show = [
    ...derby,
    waiting("after_result", 8),
    after(8, 30),
    waiting("by_hand", 8),
    at(500, 10),
    after(2, 10),
  ];
  const planned = planEvents(
    show.map((event, id) => ({ id, ...event })),
    0,
  );
  expect(planTimes(show).map(({ opensAtSeconds, atLeast }) => (atLeast ? null : opensAtSeconds))).toEqual(
    planned.map(({ opensInSeconds }) => opensInSeconds),
  );
});

test("planned times: an event that waits for a result or for the host opens at the earliest as if that took no time", () => {
  const show = [waiting("after_result", 4), waiting("after_result", 8), waiting("by_hand", 8), after(5, 10)];
  expect(planTimes(show).map(({ opensAtSeconds, atLeast }) => [opensAtSeconds, atLeast])).toEqual([
    [4, false],
    [42, true],
    [72, true],
    [107, true],
  ]);
  expect([lengthText(show), lengthText(derby)]).toEqual(["at least 1:57", "5:42"]);
});

test.each([
  [0, "0:00"],
  [5, "0:05"],
  [840, "14:00"],
  [3_599, "59:59"],
  [3_720, "1:02:00"],
  [86_400, "24:00:00"],
])("the texts of a plan %d seconds are formatted as %s", (seconds, text) => {
  expect(formatLength(seconds)).toBe(text);
});

test("the texts of a plan: a start is described as it was planned", () => {
  expect(startText(at(120, 30), 2)).toBe("at 2:00");
  expect(startText(after(0, 30), 4)).toBe("after 3");
  expect(startText(after(12, 30), 4)).toBe("0:12 after 3");
  expect(startText(after(0, 30), 1)).toBe("at 0:00");
  expect(startText(waiting("after_result", 8), 4)).toBe("0:08 after result of 3");
  expect(startText(waiting("after_result", 0), 4)).toBe("after result of 3");
  expect(startText(waiting("after_result", 8), 1)).toBe("at 0:08");
  expect(startText(waiting("by_hand", 8), 1)).toBe("by hand");
});

const time = "2026-11-21T10:00:00.000Z";
const event: BlueprintEventView = {
  id: 7,
  blueprintId: 1,
  position: 1,
  title: "Goal?",
  description: "",
  picture: null,
  explanation: "",
  hostNote: "",
  trueLabel: "Yes",
  falseLabel: "No",
  startMode: "after_previous",
  offsetSeconds: 0,
  durationSeconds: 30,
  resolveWithinSeconds: 60,
  minWager: 0.5,
  minWagerCents: 50,
  maxWager: null,
  maxWagerCents: null,
  autoResult: null,
  version: 0,
  createdAt: time,
  updatedAt: time,
};
const fields = fieldsOf(event);
const withFields = (changes: Partial<EventFields>): EventFields => ({ ...fields, ...changes });

/** The API's errors for the fields. */
function refusalOf(sent: EventFields) {
  try {
    checkInput(createBlueprintEventBody, { blueprintId: 1, ...bodyOf(sent) });
    return {};
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.details.errors;
  }
}

test("an event is unchanged after the way through its form", () => {
  expect(bodyOf(fields)).toMatchObject({
    title: "Goal?",
    durationSeconds: 30,
    minWager: 0.5,
    maxWager: null,
    autoResult: null,
  });
  expect(bodyOf(withFields({ maxWager: " $1,250.50 ", autoResult: "random" }))).toMatchObject({
    maxWager: 1_250.5,
    autoResult: "random",
  });
  expect(refusalOf(fields)).toEqual({});
});

test.each<[Partial<EventFields>, FieldErrors]>([
  [{ minWager: "-5" }, { minWager: ["must be greater than or equal to 0.01"] }],
  [{ maxWager: "1,000,001" }, { maxWager: ["must be less than or equal to 1000000"] }],
  [
    { minWager: "", title: " " },
    { minWager: ["can't be blank: type it like 12.50"], title: ["can't be blank"] },
  ],
])("the wagers %j are refused with what can be typed", (changes, errors) => {
  expect(() => bodyOf(withFields(changes))).toThrow(expect.objectContaining({ errors }));
});

test.each<Partial<EventFields>>([
  {},
  { title: " " },
  { title: "x".repeat(140) },
  { title: "x".repeat(141) },
  { trueLabel: "", falseLabel: "x".repeat(26) },
  { durationSeconds: "" },
  { durationSeconds: "soon" },
  { durationSeconds: "7.5" },
  { durationSeconds: "4" },
  { durationSeconds: "5" },
  { durationSeconds: "1800" },
  { durationSeconds: "2592001" },
])("the page's errors for %j are those of the API", (changes) => {
  expect(checkFields(withFields(changes))).toEqual(refusalOf(withFields(changes)) ?? {});
});

test("the plan follows what is typed, except for invalid numbers", () => {
  expect(previewOf(event, undefined)).toBe(event);
  expect(
    previewOf(event, withFields({ title: "", durationSeconds: "90", startMode: "offset" })),
  ).toMatchObject({ title: "", durationSeconds: 90, startMode: "offset" });
  expect(previewOf(event, withFields({ durationSeconds: "-9", offsetSeconds: "" }))).toMatchObject({
    durationSeconds: 30,
    offsetSeconds: 0,
  });
});
