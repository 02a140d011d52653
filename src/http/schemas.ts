import * as v from "valibot";
import { CODES_PER_CHARACTER } from "#db/lists/limits.ts";
import { CENTS_PER_DOLLAR, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, isInCalendar, isStorable } from "./contract.ts";
import { cleanLine, cleanText } from "./texts/contract.ts";

/** A time in an answer: ISO 8601 with milliseconds, in UTC. */
export const moment = v.pipe(v.string(), v.isoTimestamp());
/** Dollars with at most 2 decimals. A second field named `...Cents` has the same amount as a whole number. */
export const dollars = v.number();
export const cents = v.pipe(v.number(), v.integer());

type Money<Name extends string> = Record<Name, typeof dollars> & Record<`${Name}Cents`, typeof cents>;
/** Amounts of a record, each in dollars and in cents. */
export function money<Name extends string>(...names: readonly Name[]): Money<Name>;
export function money(...names: readonly string[]): v.ObjectEntries {
  return Object.fromEntries(
    names.flatMap((name): [string, v.GenericSchema][] => [
      [name, dollars],
      [`${name}Cents`, cents],
    ]),
  );
}

export const rowId = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/**
 * The limit of a text in characters as people count them: an emoji, or a letter with its marks, is one. What would hide a whole page
 * behind one letter is too long, too.
 */
export const atMost = (max: number, message = `is too long (maximum is ${charactersIn(max)})`) =>
  [
    v.maxLength<string, number, string>(max * CODES_PER_CHARACTER, message),
    v.maxGraphemes<string, number, string>(max, message),
  ] as const;

const charactersIn = (count: number) => (count === 1 ? "1 character" : `${count} characters`);

/** A required line of text in a body, without what is not seen. */
export const textLine = (lengthMax: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(),
    ...atMost(lengthMax),
    v.check(isStorable),
    v.transform(cleanLine),
    v.nonEmpty(),
    ...atMost(lengthMax),
  );

/** A text in a body that may be empty, without what is not seen. */
export const textBlock = (lengthMax: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    ...atMost(lengthMax),
    v.check(isStorable),
    v.transform(cleanText),
    ...atMost(lengthMax),
  );

export const wholeNumber = (min: number, max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));

/** Dollars in a body have no fractions of a cent. */
export const inWholeCents = v.check(
  (amount: number) => Math.round(amount * CENTS_PER_DOLLAR) / CENTS_PER_DOLLAR === amount,
);

/** Dollars in a body: above 0, in whole cents. */
export const amountField = (dollarsMax: number) =>
  v.pipe(v.number("is not a number"), v.gtValue(0), v.maxValue(dollarsMax), inWholeCents);

/** A time in a body, read as a Date. */
export const dateField = v.pipe(
  moment,
  v.check(isInCalendar, "is not a valid date"),
  v.transform((text) => new Date(text)),
  v.check((date) => !Number.isNaN(date.getTime()), "is not a valid date"),
);

export const listMeta = v.object({
  currentPage: v.number(),
  perPage: v.number(),
  totalPages: v.number(),
  totalCount: v.number(),
  serverTime: moment,
});
export type ListMeta = v.InferOutput<typeof listMeta>;

/** `?page=2&per_page=50` in a query string. Values out of bounds are refused, not clamped. */
export const pageQuery = v.object({
  page: v.optional(v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1), v.maxValue(1_000_000)), "1"),
  perPage: v.optional(
    v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1), v.maxValue(PAGE_SIZE_MAX)),
    String(PAGE_SIZE_DEFAULT),
  ),
  /** The `totalCount` of the first page that was read, so that what has come since moves no row to the next page. */
  counted: v.optional(v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(0))),
});

/** The body of every answer with a status outside 200-299. */
export const errorBody = v.object({
  error: v.string(),
  code: v.string(),
  errors: v.optional(v.record(v.string(), v.array(v.string()))),
  detail: v.optional(v.string()),
  /** After a stale version (409): the current state of the record, under its name. */
  current: v.optional(v.record(v.string(), v.unknown())),
  /** Also in the header X-Request-Id; users report it with a problem. */
  requestId: v.string(),
});
export type ErrorBody = v.InferOutput<typeof errorBody>;
