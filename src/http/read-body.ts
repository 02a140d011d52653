import type * as v from "valibot";
import { malformed } from "#src/base/refusal.ts";
import { camelize } from "./camelize.ts";
import { checkInput, type Schema } from "./check-input.ts";

/**
 * Reads the resource that a body carries under its name.
 * @param body as Elysia gives it: what was JSON.
 * @param rootKey in camelCase: "call", "blueprintEvent". What stands beside it in the body is left alone.
 * @returns the resource in its shape, keys in camelCase.
 * Refuses a body without the root key (400) and a resource that does not fit (422).
 */
export function readBody<S extends Schema>(body: unknown, rootKey: string, schema: S): v.InferOutput<S> {
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** "blueprintEvent" -> "blueprint_event" */
function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
