import * as v from "valibot";
import { invalid, malformed } from "#src/base/refusal.ts";
import { camelize } from "./camelize.ts";
import { checkInput, type Schema } from "./check-input.ts";
import { snakeCase } from "./contract.ts";
import type { Endpoint } from "./endpoint.ts";

/**
 * Reads a body by the endpoint's schemas: `{call: {spot_id: 1}}` -> `{call: {spotId: 1}}`.
 * @param body the parsed JSON.
 * Refuses a body without its first key (400) and invalid values (422): a list as a whole, anything else field by field.
 */
export function readResource(
  body: unknown,
  { body: entries = {}, bodyOptional }: Pick<Endpoint, "body" | "bodyOptional">,
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
