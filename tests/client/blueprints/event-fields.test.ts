import { expect, test } from "bun:test";
import {
  areSame,
  bodyOf,
  checkFields,
  type EventFields,
  fieldsOf,
  previewOf,
} from "#client/blueprints/event-fields.ts";
import type { FieldErrors } from "#client/ui/field.tsx";
import { Refusal } from "#src/base/refusal.ts";
import { checkInput } from "#src/http/check-input.ts";
import { type BlueprintEventView, createBlueprintEventBody } from "#src/show/blueprints/schemas.ts";

const time = "2026-11-21T10:00:00.000Z";
const event: BlueprintEventView = {
  id: 7,
  blueprintId: 1,
  position: 1,
  title: "Goal?",
  description: "",
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

test("text that is not a number is sent as typed, so that the API returns the error", () => {
  const sent = withFields({ offsetSeconds: "soon" });
  expect(bodyOf(sent)).toMatchObject({ offsetSeconds: "soon" });
  expect(refusalOf(sent)).toMatchObject({ offsetSeconds: ["is not a number"] });
});

test.each<[Partial<EventFields>, FieldErrors]>([
  [{ minWager: "" }, { minWager: ["can't be blank: type it like 12.50"] }],
  [{ minWager: "0" }, { minWager: ["must be greater than or equal to 0.01"] }],
  [{ minWager: "-5" }, { minWager: ["must be greater than or equal to 0.01"] }],
  [{ maxWager: "1e3" }, { maxWager: ["is not a number: type it like 12.50 or 1,250"] }],
  [
    { maxWager: "1.000" },
    { maxWager: ["can have at most two digits after the point: type it like 12.50 or 1,250"] },
  ],
  [
    { minWager: "", title: " " },
    { minWager: ["can't be blank: type it like 12.50"], title: ["can't be blank"] },
  ],
  [{ maxWager: "1,000,001" }, { maxWager: ["must be less than or equal to 1000000"] }],
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
  { durationSeconds: "1801" },
])("the page's errors for %j are those of the API", (changes) => {
  expect(checkFields(withFields(changes))).toEqual(refusalOf(withFields(changes)) ?? {});
});

test("spaces around a text and leading zeros are no change", () => {
  expect(areSame(fields, withFields({ title: " Goal? ", durationSeconds: "030", minWager: "0.50" }))).toBe(
    true,
  );
  expect(areSame(fields, withFields({ durationSeconds: "31" }))).toBe(false);
  expect(areSame(fields, withFields({ maxWager: "0" }))).toBe(false);
});

test("the plan follows what is typed, except for invalid numbers", () => {
  expect(previewOf(event, undefined)).toBe(event);
  expect(
    previewOf(event, withFields({ title: "", durationSeconds: "90", startMode: "offset" })),
  ).toMatchObject({
    title: "",
    durationSeconds: 90,
    startMode: "offset",
  });
  expect(previewOf(event, withFields({ durationSeconds: "-9", offsetSeconds: "" }))).toMatchObject({
    durationSeconds: 30,
    offsetSeconds: 0,
  });
});
