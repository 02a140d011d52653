import type { JsonSchema } from "@valibot/to-json-schema";
import { bodySchema, valueSchema } from "#src/api/json-schemas.ts";
import { snakeCase } from "#src/http/contract.ts";
import type { Endpoint } from "#src/http/endpoint.ts";
import { pageQuery } from "#src/http/schemas.ts";
import type { Happy } from "./fixture.ts";

/** A request with one invalid field, and the field that the refusal must name. */
export type InvalidRequest = { what: string; happy: Happy; field: string };

/**
 * The happy request once for each rule of its body's schema, with that rule broken: a field of another type, null, empty, too long, one step
 * beyond a bound, left out, or unknown.
 */
export function wrongBodies({ body: entries }: Endpoint, happy: Happy): InvalidRequest[] {
  const { body } = happy;
  if (entries === undefined || body === undefined) return [];
  return Object.entries(bodySchema(entries).properties ?? {}).flatMap(([key, part]) => {
    const { [key]: value } = body;
    const schema = schemaOf(part);
    const all = isRecord(value)
      ? brokenFields(schema, value)
      : broken(schema, value).map((each) => ({ ...each, field: camelCase(key) }));
    return all.map(({ what, field, value: wrong }) => {
      return { what: `${key}${what}`, field, happy: { ...happy, body: { ...body, [key]: wrong } } };
    });
  });
}

type Broken = { what: string; value: unknown };

/** A value once for each rule of its schema that it can break; in a list, its first entry. */
function broken(schema: JsonSchema, given: unknown): Broken[] {
  const value = given ?? (schema.type === "object" ? {} : given);
  if (isRecord(value) && schema.properties !== undefined) return brokenFields(schema, value);
  if (!Array.isArray(value)) return brokenValues(schema);
  const [first, ...others]: unknown[] = value;
  const inFirst = Array.isArray(schema.items) ? [] : broken(schemaOf(schema.items ?? {}), first);
  return [
    { what: " is no list", value: [{ id: "?" }] },
    ...inFirst.map((each) => ({ what: `[0]${each.what}`, value: [each.value, ...others] })),
  ];
}

function brokenFields(schema: JsonSchema, value: Record<string, unknown>): (Broken & { field: string })[] {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).flatMap(([name, part]) =>
    broken(schemaOf(part), value[name]).map((each) => ({
      what: `.${name}${each.what}`,
      field: camelCase(name),
      value: { ...value, [name]: each.value },
    })),
  );
  const missing = required.map((name) => {
    const { [name]: _left, ...others } = value;
    return { what: `.${name} is missing`, field: camelCase(name), value: others };
  });
  const unknown = {
    what: " has an unknown field",
    field: "noSuchField",
    value: { ...value, no_such_field: 1 },
  };
  return [...fields, ...missing, ...(additionalProperties === false ? [unknown] : [])];
}

/** Longer texts have their own tests: a body of many of them is refused as a whole. */
const TEXT_MAX = 2_000;

/** The only part of a schema that is not null; nothing where there are several. */
function rulesOf(schema: JsonSchema): JsonSchema {
  const parts = (schema.anyOf ?? [schema]).map(schemaOf).filter(({ type }) => type !== "null");
  return parts.length === 1 ? (parts[0] ?? {}) : {};
}

function brokenValues(schema: JsonSchema): Broken[] {
  const types = new Set(typesIn(schema));
  const rules = rulesOf(schema);
  const { minimum, exclusiveMinimum, maximum, minLength = 0, maxLength = TEXT_MAX, type } = rules;
  const below = exclusiveMinimum ?? Number(minimum) - 1;
  const other = types.has("number") ? {} : 5;
  const all: [what: string, isRule: boolean, value: unknown][] = [
    ["of another type", true, types.has("boolean") ? other : true],
    ["null", types.size > 0 && !types.has("null"), null],
    ["empty", minLength > 0, ""],
    ["too long", maxLength < TEXT_MAX, "x".repeat(maxLength + 1)],
    ["too small", !Number.isNaN(below), below],
    ["too large", maximum !== undefined, Number(maximum) + 1],
    ["no whole number", type === "integer", (minimum ?? 1) + 0.5],
    ["an unknown word", rules.enum !== undefined, "no-such"],
  ];
  return all.filter(([, isRule]) => isRule).map(([what, , value]) => ({ what: ` is ${what}`, value }));
}

/** The happy request once for each query parameter, with that parameter invalid. */
export function wrongQueries({ query = {}, paged }: Endpoint, happy: Happy): InvalidRequest[] {
  const all = paged === true ? { ...query, ...pageQuery.entries } : query;
  return Object.entries(all).flatMap(([name, entry]) => {
    const schema = valueSchema(entry);
    const isFree = schema.type === "string" && schema.enum === undefined && schema.pattern === undefined;
    if (isFree && schema.format === undefined) return [];
    const wrong = { ...happy, query: { ...happy.query, [snakeCase(name)]: "no-such" } };
    return [{ what: `?${name}`, field: name, happy: wrong }];
  });
}

function typesIn({ type, anyOf = [], const: literal, enum: values = [] }: JsonSchema): string[] {
  const listed = literal === undefined ? values : [literal];
  const own = typeof type === "string" ? [type] : (type ?? listed.map((value) => typeof value));
  return [...own, ...anyOf.flatMap((part) => (typeof part === "boolean" ? [] : typesIn(part)))];
}

const schemaOf = (part: JsonSchema | boolean): JsonSchema => (typeof part === "boolean" ? {} : part);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
