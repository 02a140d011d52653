import type { JsonSchema } from "@valibot/to-json-schema";

/** A field as the reference lists it. Nested fields follow their parent with its name as a prefix: "events[].title". */
export type Field = { name: string; type: string; required: boolean };

/** Lists the fields of an object schema, nested ones included. */
export function fieldsOf({ properties = {}, required = [] }: JsonSchema, prefix = ""): Field[] {
  return Object.entries(properties).flatMap(([key, part]) => {
    if (typeof part === "boolean") return [];
    const name = prefix === "" ? key : `${prefix}.${key}`;
    const own = { name, type: describeType(part), required: required.includes(key) };
    return [own, ...fieldsOf(part, name), ...fieldsOf(itemsOf(part), `${name}[]`)];
  });
}

/** Describes the values of a schema in a few words: "text, at most 140 characters". */
export function describeType(schema: JsonSchema): string {
  const { anyOf, enum: values, type } = schema;
  if (anyOf !== undefined)
    return anyOf.map((part) => (part === true || part === false ? "" : describeType(part))).join(" or ");
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(", ");
  const defaultNote = schema.default === undefined ? "" : `; ${JSON.stringify(schema.default)} by default`;
  if (type === "string") return describeText(schema) + defaultNote;
  if (type === "integer" || type === "number") return describeNumber(schema) + defaultNote;
  if (type === "array") return `list of ${describeType(itemsOf(schema))}`;
  if (type === "boolean") return `true or false${defaultNote}`;
  return type === "null" ? "null" : "object";
}

function describeText({ format, minLength, maxLength, pattern }: JsonSchema): string {
  if (format === "date-time") return "timestamp";
  if (format === "email") return "email address";
  if (pattern !== undefined) return `text like ${pattern}`;
  if (maxLength === undefined) return "text";
  return minLength === undefined
    ? `text, at most ${maxLength} characters`
    : `text, ${minLength} to ${maxLength} characters`;
}

function describeNumber({ type, minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const noun = type === "integer" ? "whole number" : "number";
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (exclusiveMinimum !== undefined)
    return `${noun} above ${exclusiveMinimum}${isBounded ? `, at most ${maximum}` : ""}`;
  if (minimum !== undefined && isBounded) return `${noun}, ${minimum} to ${maximum}`;
  return noun;
}

function itemsOf({ items }: JsonSchema): JsonSchema {
  return typeof items === "object" && !Array.isArray(items) ? items : {};
}
