import type { JsonSchema } from "@valibot/to-json-schema";

/** One field as the reference tells of it: a list's or an object's own fields stand below it, with its name before theirs. */
export type Field = { name: string; type: string; required: boolean };

/** The fields of an object, and of what is in it. */
export function fieldsOf({ properties = {}, required = [] }: JsonSchema, place = ""): Field[] {
  return Object.entries(properties).flatMap(([key, part]) => {
    if (typeof part === "boolean") return [];
    const name = place === "" ? key : `${place}.${key}`;
    const own = { name, type: describeType(part), required: required.includes(key) };
    return [own, ...fieldsOf(part, name), ...fieldsOf(itemsOf(part), `${name}[]`)];
  });
}

/** What a value may be, in a few words: "text, at most 140 characters". */
export function describeType(schema: JsonSchema): string {
  const { anyOf, enum: values, type } = schema;
  if (anyOf !== undefined)
    return anyOf.map((part) => (part === true || part === false ? "" : describeType(part))).join(" or ");
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(", ");
  const preset = schema.default === undefined ? "" : `; ${JSON.stringify(schema.default)} where left out`;
  if (type === "string") return describeText(schema) + preset;
  if (type === "integer" || type === "number") return describeNumber(schema) + preset;
  if (type === "array") return `list of ${describeType(itemsOf(schema))}`;
  if (type === "boolean") return `true or false${preset}`;
  return type === "null" ? "null" : "object";
}

function describeText({ format, minLength, maxLength, pattern }: JsonSchema): string {
  if (format === "date-time") return "moment";
  if (format === "email") return "email address";
  if (pattern !== undefined) return `text like ${pattern}`;
  if (maxLength === undefined) return "text";
  return minLength === undefined
    ? `text, at most ${maxLength} characters`
    : `text, ${minLength} to ${maxLength} characters`;
}

function describeNumber({ type, minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const what = type === "integer" ? "whole number" : "number";
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (exclusiveMinimum !== undefined)
    return `${what} above ${exclusiveMinimum}${isBounded ? `, at most ${maximum}` : ""}`;
  if (minimum !== undefined && isBounded) return `${what}, ${minimum} to ${maximum}`;
  return what;
}

function itemsOf({ items }: JsonSchema): JsonSchema {
  return typeof items === "object" && !Array.isArray(items) ? items : {};
}
