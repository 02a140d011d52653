import { blueprintLimits } from "#src/blueprints/contract.ts";
import type { BlueprintEventView, BlueprintOptions } from "#src/blueprints/schemas.ts";
import { textIn } from "../form-fields.ts";
import type { FieldErrors } from "../ui/field.tsx";

const names = [
  "title",
  "description",
  "trueLabel",
  "falseLabel",
  "startMode",
  "offsetSeconds",
  "durationSeconds",
  "resolveWithinSeconds",
  "minWager",
  "maxWager",
  "autoResult",
] as const;

/** What the form of an event holds, as it is typed. */
export type EventFields = Record<(typeof names)[number], string>;

/** How the fields are called, where what is wrong with them is told elsewhere than below them. */
export const fieldLabels: EventFields = {
  title: "Question",
  description: "Description",
  trueLabel: "True Label",
  falseLabel: "False Label",
  startMode: "Starts",
  offsetSeconds: "Wait",
  durationSeconds: "Duration",
  resolveWithinSeconds: "Result within",
  minWager: "Least wager",
  maxWager: "Most per player",
  autoResult: "Result",
};

/** An event, or what a new one starts with, as its form holds it. */
export function fieldsOf(event: BlueprintOptions["blueprintEvent"] & { title?: string }): EventFields {
  return {
    title: event.title ?? "",
    description: event.description,
    trueLabel: event.trueLabel,
    falseLabel: event.falseLabel,
    startMode: event.startMode,
    offsetSeconds: String(event.offsetSeconds),
    durationSeconds: String(event.durationSeconds),
    resolveWithinSeconds: String(event.resolveWithinSeconds),
    minWager: String(event.minWager),
    maxWager: event.maxWager === null ? "" : String(event.maxWager),
    autoResult: event.autoResult ?? "",
  };
}

/** The form as it was sent. */
export function fieldsIn(form: FormData): EventFields {
  const read = (name: keyof EventFields) => textIn(form, name);
  return {
    title: read("title"),
    description: read("description"),
    trueLabel: read("trueLabel"),
    falseLabel: read("falseLabel"),
    startMode: read("startMode"),
    offsetSeconds: read("offsetSeconds"),
    durationSeconds: read("durationSeconds"),
    resolveWithinSeconds: read("resolveWithinSeconds"),
    minWager: read("minWager"),
    maxWager: read("maxWager"),
    autoResult: read("autoResult"),
  };
}

/** The fields as the API takes them. What is no number is sent as it is, so that the API says so. */
export function bodyOf(fields: EventFields) {
  return {
    ...fields,
    offsetSeconds: numberOrText(fields.offsetSeconds),
    durationSeconds: numberOrText(fields.durationSeconds),
    resolveWithinSeconds: numberOrText(fields.resolveWithinSeconds),
    minWager: numberOrText(fields.minWager),
    maxWager: fields.maxWager.trim() === "" ? null : numberOrText(fields.maxWager),
    autoResult: fields.autoResult === "" ? null : fields.autoResult,
  };
}

/** True where both would be saved as the same. */
export function areSame(one: EventFields, other: EventFields): boolean {
  return names.every((name) => {
    const [left, right] = [one[name].trim(), other[name].trim()];
    return left === right || (isNumber(left) && isNumber(right) && Number(left) === Number(right));
  });
}

/** The event with what is typed so far; what cannot be counted with stays as it was. */
export function previewOf(event: BlueprintEventView, fields: EventFields | undefined): BlueprintEventView {
  if (fields === undefined) return event;
  const count = (text: string, before: number) => (/^\d{1,5}$/.test(text.trim()) ? Number(text) : before);
  return {
    ...event,
    title: fields.title,
    trueLabel: fields.trueLabel,
    falseLabel: fields.falseLabel,
    startMode: fields.startMode === "offset" ? "offset" : "after_previous",
    offsetSeconds: count(fields.offsetSeconds, event.offsetSeconds),
    durationSeconds: count(fields.durationSeconds, event.durationSeconds),
  };
}

/** What is plainly wrong with an event, in the API's words, before it is sent. */
export function checkFields(
  fields: Pick<EventFields, "title" | "trueLabel" | "falseLabel" | "durationSeconds">,
): FieldErrors {
  const { titleLengthMax, labelLengthMax } = blueprintLimits;
  const found = {
    title: checkLine(fields.title, titleLengthMax),
    trueLabel: checkLine(fields.trueLabel, labelLengthMax),
    falseLabel: checkLine(fields.falseLabel, labelLengthMax),
    durationSeconds: checkDuration(fields.durationSeconds),
  };
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, text]) => (text === null ? [] : [[name, [text]]])),
  );
}

function checkLine(text: string, lengthMax: number): string | null {
  const { length } = text.trim();
  if (length === 0) return "can't be blank";
  return length > lengthMax ? `is too long (maximum is ${lengthMax} characters)` : null;
}

function checkDuration(text: string): string | null {
  const { durationSecondsMin: min, durationSecondsMax: max } = blueprintLimits;
  if (!isNumber(text.trim())) return "is not a number";
  const seconds = Number(text);
  if (!Number.isInteger(seconds)) return "must be an integer";
  if (seconds < min) return `must be greater than or equal to ${min}`;
  return seconds > max ? `must be less than or equal to ${max}` : null;
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text);
}

/** A number where the text is one, else the text as it is, so that the API says what is wrong with it. */
export function numberOrText(text: string): number | string {
  const trimmed = text.trim();
  return isNumber(trimmed) ? Number(trimmed) : trimmed;
}
