import * as words from "#client/base/format/words.ts";
import { type StartMode, startModes } from "#db/lists/events.ts";
import { blueprintLimits } from "#src/show/blueprints/contract.ts";
import type { BlueprintEventView, BlueprintOptions } from "#src/show/blueprints/schemas.ts";
import { START_DEFAULT, WAIT_DEFAULT_SECONDS } from "#src/show/events/contract.ts";
import type { FieldErrors } from "../ui/field.tsx";
import { type FormOf, readForm } from "../ui/forms/read-form.ts";
import { checkDollars, refuseTyped } from "../ui/money/typed-dollars.ts";
import { typedMoney } from "../ui/money/typed-money.ts";
import { moreTexts } from "./more-texts.ts";

const textFields = {
  title: "text",
  description: "text",
  explanation: "text",
  hostNote: "text",
  trueLabel: "text",
  falseLabel: "text",
  startMode: "text",
  offsetSeconds: "text",
  durationSeconds: "text",
  resolveWithinSeconds: "text",
  minWager: "text",
  maxWager: "text",
  autoResult: "text",
} as const;

export type EventFields = FormOf<typeof textFields>;

/** Names of the fields, for errors that are not shown below their field. */
const fieldLabels: EventFields = {
  title: words.question,
  description: words.description,
  explanation: moreTexts.explanation,
  hostNote: moreTexts.hostNote,
  trueLabel: words.trueLabel,
  falseLabel: words.falseLabel,
  startMode: words.starts,
  offsetSeconds: "Wait",
  durationSeconds: "Duration",
  resolveWithinSeconds: "Result within",
  minWager: "Least wager",
  maxWager: "Most per player",
  autoResult: words.result,
};

/** The values of a saved event, or of a new one. */
export function fieldsOf(event: BlueprintOptions["blueprintEvent"] & { title?: string }): EventFields {
  return {
    title: event.title ?? "",
    description: event.description,
    explanation: event.explanation,
    hostNote: event.hostNote,
    trueLabel: event.trueLabel,
    falseLabel: event.falseLabel,
    startMode: event.startMode,
    offsetSeconds: String(event.offsetSeconds),
    durationSeconds: String(event.durationSeconds),
    resolveWithinSeconds: String(event.resolveWithinSeconds),
    minWager: typedMoney(event.minWagerCents),
    maxWager: event.maxWagerCents === null ? "" : typedMoney(event.maxWagerCents),
    autoResult: event.autoResult ?? "",
  };
}

const wagerLimits = { min: 0.01, max: blueprintLimits.wagerMax };

/** How a new event at the end starts: the first one with the session, each other one some time after the result before it. */
export function startAfter(events: readonly unknown[]): { startMode?: StartMode; offsetSeconds: number } {
  return events.length === 0
    ? { offsetSeconds: 0 }
    : { startMode: START_DEFAULT, offsetSeconds: WAIT_DEFAULT_SECONDS };
}

export function newFields({ blueprintEvent }: BlueprintOptions, events: readonly unknown[]): EventFields {
  return fieldsOf({ ...blueprintEvent, ...startAfter(events) });
}

export function fieldsIn(form: FormData): EventFields {
  return readForm(form, textFields, (name) => name);
}

/**
 * The event as the API expects it. Text that is not a number is sent as it is, so that the API returns the error.
 * @throws FormRefusal for a wager that cannot be read, with the other errors that the page knows.
 */
export function bodyOf(fields: EventFields) {
  return {
    ...fields,
    offsetSeconds: numberOrText(fields.offsetSeconds),
    durationSeconds: numberOrText(fields.durationSeconds),
    resolveWithinSeconds: numberOrText(fields.resolveWithinSeconds),
    ...wagersIn(fields),
    autoResult: fields.autoResult === "" ? null : fields.autoResult,
  };
}

function wagersIn(fields: EventFields): { minWager: number; maxWager: number | null } {
  const unlimited = { dollars: null, errors: {} };
  const hasMax = fields.maxWager.trim() !== "";
  const min = checkDollars("minWager", fields.minWager, wagerLimits);
  const max = hasMax ? checkDollars("maxWager", fields.maxWager, wagerLimits) : unlimited;
  if (min.dollars === null || (hasMax && max.dollars === null))
    throw refuseTyped({ ...checkFields(fields), ...min.errors, ...max.errors });
  return { minWager: min.dollars, maxWager: max.dollars };
}

/** True if both would be saved as the same event. */
export function areSame(one: EventFields, other: EventFields): boolean {
  const others: Record<string, string> = other;
  return Object.entries(one).every(([name, text]) => {
    const [left, right] = [text.trim(), (others[name] ?? "").trim()];
    return left === right || (isNumber(left) && isNumber(right) && Number(left) === Number(right));
  });
}

/** The event with the typed values; a number that is invalid so far is left unchanged. */
export function previewOf(event: BlueprintEventView, fields: EventFields | undefined): BlueprintEventView {
  if (fields === undefined) return event;
  const count = (text: string, before: number) => (/^\d{1,5}$/.test(text.trim()) ? Number(text) : before);
  return {
    ...event,
    title: fields.title,
    trueLabel: fields.trueLabel,
    falseLabel: fields.falseLabel,
    startMode: isStartMode(fields.startMode) ? fields.startMode : event.startMode,
    offsetSeconds: count(fields.offsetSeconds, event.offsetSeconds),
    durationSeconds: count(fields.durationSeconds, event.durationSeconds),
  };
}

export function isStartMode(text: string): text is StartMode {
  return startModes.some((mode) => mode === text);
}

/** Checks an event before it is sent; the errors have the API's texts. */
export function checkFields(
  fields: Pick<EventFields, "title" | "trueLabel" | "falseLabel" | "durationSeconds">,
): FieldErrors {
  const { titleLengthMax, labelLengthMax } = blueprintLimits;
  const errors = {
    title: checkLine(fields.title, titleLengthMax),
    trueLabel: checkLine(fields.trueLabel, labelLengthMax),
    falseLabel: checkLine(fields.falseLabel, labelLengthMax),
    durationSeconds: checkDuration(fields.durationSeconds),
  };
  return Object.fromEntries(
    Object.entries(errors).flatMap(([name, text]) => (text === null ? [] : [[name, [text]]])),
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

/** The number, or the text as it is if it is not one, so that the API returns the error. */
export function numberOrText(text: string): number | string {
  const trimmed = text.trim();
  return isNumber(trimmed) ? Number(trimmed) : trimmed;
}

/** Errors as sentences: "Question can't be blank". */
export function problemsOf(errors: FieldErrors): string[] {
  const labels: Record<string, string> = fieldLabels;
  return Object.entries(errors).flatMap(([name, found]) =>
    found.map((text) => `${labels[name] ?? name} ${text}`),
  );
}
