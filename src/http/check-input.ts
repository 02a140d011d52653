import * as v from "valibot";
import { type FieldErrors, invalid, malformed, notFound } from "#src/base/refusal.ts";
import { camelCase, JSON_DEPTH_MAX, snakeCase } from "./contract.ts";
import type { Page } from "./list-meta.ts";
import { pageQuery } from "./schemas.ts";

export type Schema = v.GenericSchema;

/** A body full of mistakes must not produce an even larger answer. */
const FIELDS_MAX = 50;

/** Parses a value by its schema. Refuses an invalid value: 422 with the first error of every field. */
export function checkInput<S extends Schema>(schema: S, value: unknown): v.InferOutput<S> {
  const read = v.safeParse(schema, value, { message: issueText });
  if (read.success) return read.output;
  const issues = read.issues.map((issue): [string, string] => [v.getDotPath(issue) ?? "body", issue.message]);
  const errors: FieldErrors = {};
  for (const [field, message] of [...issues, ...unknownKeys(read.issues, schema)]) {
    if (Object.keys(errors).length === FIELDS_MAX) break;
    errors[field] ??= [message];
  }
  throw invalid(errors);
}

/** All unknown keys: a strict schema reports only the first of them. */
function unknownKeys(issues: readonly v.BaseIssue<unknown>[], schema: Schema): [string, string][] {
  const first = issues.find(({ expected, path }) => expected === "never" && path?.length === 1);
  const holder = first?.path?.[0].input;
  if (first === undefined || !isObject(holder) || !("entries" in schema)) return [];
  const { entries: known } = schema;
  if (!isObject(known)) return [];
  const unknown = Object.keys(holder).filter((key) => !Object.hasOwn(known, key));
  return unknown.map((key) => [key, first.message]);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The texts for invalid values, by the type of the issue. A message in the schema itself takes precedence. */
const texts: Record<string, (requirement: string) => string> = {
  number: () => "is not a number",
  to_number: () => "is not a number",
  integer: () => "must be an integer",
  safe_integer: () => "must be an integer",
  boolean: () => "is not a valid boolean",
  iso_timestamp: () => "is not a valid date",
  non_empty: () => "can't be blank",
  gt_value: (bound) => `must be greater than ${bound}`,
  min_value: (bound) => `must be greater than or equal to ${bound}`,
  lt_value: (bound) => `must be less than ${bound}`,
  max_value: (bound) => `must be less than or equal to ${bound}`,
  min_graphemes: (count) => `is too short (minimum is ${characters(count)})`,
  min_length: (count) => `is too short (minimum is ${characters(count)})`,
  max_length: (count) => `is too long (maximum is ${characters(count)})`,
  length: (count) => `is the wrong length (should be ${characters(count)})`,
};

/** The text that a player reads for one issue: "is too long (maximum is 25 characters)". */
function issueText(issue: v.BaseIssue<unknown>): string {
  const isMissing = issue.input === undefined && issue.expected !== "never";
  if (isMissing) return "is required";
  if (issue.input === null && issue.type === "string") return "can't be blank";
  return texts[issue.type]?.(String(issue.requirement)) ?? "is invalid";
}

function characters(count: string): string {
  return count === "1" ? "1 character" : `${count} characters`;
}

const forbiddenKeys = new Set(["__proto__", "constructor", "prototype"]);

/**
 * The same value with every key in camelCase: `{spot_id: 1}` -> `{spotId: 1}`.
 * Refuses (400) deep nesting, a key in both spellings, and keys that are special in JavaScript.
 */
export function camelize(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === JSON_DEPTH_MAX) throw malformed("The body is nested too deeply.");
  if (Array.isArray(value)) return value.map((item) => camelize(item, depth + 1));
  const entries = new Map<string, unknown>();
  for (const [key, item] of Object.entries(value)) {
    const name = camelCase(key);
    if (forbiddenKeys.has(name)) throw malformed("The body has a key that is not allowed.");
    if (entries.has(name)) throw malformed("The body has the same key twice.");
    entries.set(name, camelize(item, depth + 1));
  }
  return Object.fromEntries(entries);
}

/**
 * Reads a query string by its schema, keys in camelCase.
 * @param query as Elysia parsed it. Parameters that the schema does not name are ignored.
 * Refuses invalid values: 422.
 */
export function readQuery<S extends Schema>(query: Record<string, unknown>, schema: S): v.InferOutput<S> {
  return checkInput(schema, camelize({ ...query }));
}

/** Reads `?page=2&per_page=50`. Refuses values out of bounds: 422. */
export function readPage(query: Record<string, unknown>): Page {
  const { page, perPage } = readQuery(query, pageQuery);
  return { page, perPage, offset: (page - 1) * perPage };
}

/**
 * Reads a body by the endpoint's schemas: `{call: {spot_id: 1}}` -> `{call: {spotId: 1}}`.
 * @param body the parsed JSON.
 * Refuses a body without its first key (400) and invalid values (422): a list as a whole, anything else field by field.
 */
export function readResource(
  body: unknown,
  { body: entries = {}, bodyOptional }: { body?: v.ObjectEntries; bodyOptional?: true },
): Record<string, unknown> {
  const [first, ...otherEntries] = Object.entries(entries);
  if (first === undefined) return {};
  const [key, schema] = first;
  const sent = bodyOptional === true && isEmpty(body) ? { [key]: {} } : body;
  if (otherEntries.length > 0) {
    readUnderKey(sent, key, v.unknown());
    return checkInput(v.object(entries), camelize(sent));
  }
  if (schema.type !== "array") return { [key]: readUnderKey(sent, key, schema) };
  const list = v.safeParse(schema, readUnderKey(sent, key, v.unknown()));
  if (!list.success) throw invalid({ [key]: ["is invalid"] });
  return { [key]: list.output };
}

/**
 * Reads the resource that a body carries under its root key. Other keys of the body are ignored.
 * @param rootKey in camelCase: "call", "blueprintEvent".
 * @returns the resource as its schema reads it, keys in camelCase.
 * Refuses a body without the root key (400) and an invalid resource (422).
 */
function readUnderKey<S extends Schema>(body: unknown, rootKey: string, schema: S): v.InferOutput<S> {
  const resource = isRecord(body) ? resourceIn(body, rootKey) : undefined;
  if (!isRecord(resource) && !Array.isArray(resource)) {
    throw malformed(`The body must be JSON with the key "${snakeCase(rootKey)}".`);
  }
  return checkInput(schema, resource);
}

function resourceIn(body: Record<string, unknown>, rootKey: string): unknown {
  const snake = snakeCase(rootKey);
  const key = Object.hasOwn(body, snake) ? snake : rootKey;
  return Object.hasOwn(body, key) ? camelize(body[key]) : undefined;
}

/** No body, or `{}`. */
function isEmpty(body: unknown): boolean {
  return body === undefined || body === null || (isRecord(body) && Object.keys(body).length === 0);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads a row id from a path. Refuses text that cannot be an id: 404. */
export function readId(text: string): number {
  const id = idIn(text);
  if (id === null) throw notFound();
  return id;
}

/** The row id that a text is: digits without a leading zero. Null for all other texts. */
export function idIn(text: string): number | null {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(id) && id !== 0 ? id : null;
}
