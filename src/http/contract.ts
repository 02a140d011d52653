import * as v from "valibot";

/** Number of rows on a page when the client does not say. */
export const PAGE_SIZE_DEFAULT = 25;
export const PAGE_SIZE_MAX = 100;

/** Of an Idempotency-Key. */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 128;

/** The largest file that is taken: 5 MB. */
export const UPLOAD_BYTES_MAX = 5 * 1_048_576;

/** A moment on the wire: ISO 8601 with milliseconds, in UTC. */
export const moment = v.pipe(v.string(), v.isoTimestamp());
/** Dollars with at most 2 decimals; a twin field named `...Cents` carries the whole number. */
export const dollars = v.number();
export const cents = v.pipe(v.number(), v.integer());
export const rowId = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** What Postgres keeps: no NUL, and no half of a character. */
export const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();

/** A text in a body that must say something, without the blanks around it. */
export const textLine = (lengthMax: number) =>
  v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(lengthMax), v.check(isStorable));

/** A text in a body that may be empty, without the blanks around it. */
export const textBlock = (lengthMax: number) =>
  v.pipe(v.string(), v.trim(), v.maxLength(lengthMax), v.check(isStorable));

/** A whole number in a body. */
export const wholeNumber = (min: number, max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));

/** Dollars in a body: above 0, in whole cents. */
export const amountField = (dollarsMax: number) =>
  v.pipe(
    v.number("is not a number"),
    v.gtValue(0),
    v.maxValue(dollarsMax),
    v.check((amount) => Math.round(amount * 100) / 100 === amount),
  );

/** A moment in a body, read as a Date. */
export const dateField = v.pipe(
  moment,
  v.check(isInCalendar, "is not a valid date"),
  v.transform((text) => new Date(text)),
  v.check((date) => !Number.isNaN(date.getTime()), "is not a valid date"),
);

/** No 31st of February, which would be read as a day in March; no year that nobody means. */
function isInCalendar(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split(/\D/, 3).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1970 && year < 3000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** What comes beside every list. */
export const listMeta = v.object({
  currentPage: v.number(),
  perPage: v.number(),
  totalPages: v.number(),
  totalCount: v.number(),
  serverTime: moment,
});
export type ListMeta = v.InferOutput<typeof listMeta>;

/** `?page=2&per_page=50`, as a query string gives it. Out of bounds is refused, not bent. */
export const pageQuery = v.object({
  page: v.optional(v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1), v.maxValue(1_000_000)), "1"),
  perPage: v.optional(
    v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1), v.maxValue(PAGE_SIZE_MAX)),
    String(PAGE_SIZE_DEFAULT),
  ),
});

/** The body of every answer outside 200-299. */
export const errorBody = v.object({
  error: v.string(),
  code: v.string(),
  errors: v.optional(v.record(v.string(), v.array(v.string()))),
  detail: v.optional(v.string()),
  /** The newer state of what was to be changed (409), under its name. */
  current: v.optional(v.record(v.string(), v.unknown())),
  /** Also in the header X-Request-Id: what to name when asking us about it. */
  requestId: v.string(),
});
export type ErrorBody = v.InferOutput<typeof errorBody>;

/** Name of the form field, of the meta tag's `csrf-param`, and of the header that carry the anti-forgery token. */
export const CSRF_PARAM = "authenticity_token";
export const CSRF_HEADER = "x-csrf-token";

/** One row of a state table: from which states the transition may start, where it leads, and the word for it. */
export type Transition<State extends string> = { from: readonly State[]; to: State; label: string };

/** A state machine as data: the verbs, the refusals and the pages' buttons all read the same rows. */
export type TransitionTable<Name extends string, State extends string> = Record<Name, Transition<State>>;

/** True if a table of transitions or actions lets `name` start from `state`. */
export function allows<Name extends string, State extends string>(
  table: Record<Name, { from: readonly State[] }>,
  name: Name,
  state: State,
): boolean {
  return table[name].from.includes(state);
}
