import type { JsonSchema } from "@valibot/to-json-schema";
import * as fc from "fast-check";

/** Texts that Postgres cannot store unchanged. */
export const worstTexts = ["\0", "a\ud800", "0000-01-01T00:00:00Z"];
/** Texts that have broken programs before. */
const hostileTexts = [
  ...worstTexts,
  "",
  "'; DROP TABLE calls; --",
  "%",
  "\\",
  "null",
  "NaN",
  "-0",
  "1e309",
  "\u202e\u0000",
  "\ud800",
  "0x10",
  "__proto__",
  "2026-02-31T00:00:00Z",
  "2026-11-21T20:00:00.000Z",
  "9999-12-31T23:59:60Z",
  "+275760-09-13T00:00:00.001Z",
  "9007199254740993",
  "x".repeat(5_000),
];
const hostileNumbers = [
  0, -0, -1, 0.1, 0.015, 1.005, 1e21, -1e21, 1e-9, 2_147_483_648, 9_007_199_254_740_991,
  9_007_199_254_740_992, 1.797_693_134_862_315_7e308,
];

/** Any JSON value; hostile values more often than others. */
export const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...hostileTexts, ...hostileNumbers, null, true, false, [], {}),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>({ __proto__: null, constructor: { prototype: 1 } }, [[[[[[[[[[[[[[1]]]]]]]]]]]]]]),
);

/**
 * Values that match a schema, and sometimes values that do not: missing or unknown fields, other types, out of bounds.
 * @param ids ids of rows that may exist; unknown ids are generated too.
 */
export function mostlyValid(schema: JsonSchema, ids: readonly number[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 19, arbitrary: valid(schema, ids) }, { weight: 1, arbitrary: anything });
}

function valid(schema: JsonSchema, ids: readonly number[]): fc.Arbitrary<unknown> {
  const { anyOf, enum: values, type } = schema;
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((part) => valid(schemaOf(part), ids)));
  if (values !== undefined) return fc.constantFrom<unknown>(...values);
  if (type === "object") return validObject(schema, ids);
  if (type === "array") {
    const items = Array.isArray(schema.items) || schema.items === undefined ? {} : schemaOf(schema.items);
    return fc.array(mostlyValid(items, ids), { maxLength: 4 });
  }
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  if (type === "integer" || type === "number") return validNumber(schema, ids);
  return type === "string" ? validText(schema) : anything;
}

function validObject({ properties = {}, required = [] }: JsonSchema, ids: readonly number[]) {
  const parts = Object.entries(properties).map(
    ([name, part]) => [name, mostlyValid(schemaOf(part), ids)] as const,
  );
  const known = fc.record(Object.fromEntries(parts), { requiredKeys: required });
  const incomplete = fc.record(Object.fromEntries(parts), { requiredKeys: [] });
  const overfull = fc.tuple(known, fc.dictionary(fc.string({ maxLength: 12 }), anything, { maxKeys: 2 }));
  return fc.oneof(
    { weight: 18, arbitrary: known },
    { weight: 1, arbitrary: incomplete },
    { weight: 1, arbitrary: overfull.map(([one, more]) => ({ ...one, ...more })) },
  );
}

function validNumber({ type, minimum, maximum, exclusiveMinimum }: JsonSchema, ids: readonly number[]) {
  const min = minimum ?? exclusiveMinimum ?? -1_000;
  const max = maximum ?? 1_000_000;
  const isId = type === "integer" && minimum === 1 && max > 1_000_000_000;
  if (isId) return fc.oneof(fc.constantFrom(...ids), fc.constantFrom(min, max, 999_999_999));
  const edges = fc.constantFrom(min, max, min - 1, max + 1);
  if (type === "integer") return fc.oneof(fc.integer({ min: Math.ceil(min), max: Math.floor(max) }), edges);
  const cents = fc.integer({ min: Math.ceil(min * 100), max: Math.floor(Math.min(max, 10_000) * 100) });
  return fc.oneof(
    cents.map((amount) => amount / 100),
    edges,
    fc.constantFrom(...hostileNumbers),
  );
}

function validText({ format, minLength = 0, maxLength = 40, pattern }: JsonSchema): fc.Arbitrary<string> {
  if (pattern !== undefined) {
    return fc.oneof(fc.stringMatching(new RegExp(pattern)), fc.constantFrom(...hostileTexts));
  }
  if (format === "date-time") {
    const dates = fc.date({ min: new Date(0), max: new Date(1e13), noInvalidDate: true });
    return fc.oneof(
      dates.map((date) => date.toISOString()),
      fc.constantFrom(...hostileTexts),
    );
  }
  if (format === "email") return fc.emailAddress();
  const text = fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength + 1, 200) });
  return fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: fc.constantFrom(...hostileTexts) });
}

function schemaOf(part: JsonSchema | boolean): JsonSchema {
  return typeof part === "boolean" ? {} : part;
}
