import { expect } from "bun:test";
import * as v from "valibot";
import type { NamedEndpoint } from "#src/api/all-endpoints.ts";
import { type Example, exampleOf, EXAMPLES_FILE } from "#src/api/examples.ts";
import { readResource } from "#src/http/check-input.ts";
import type { Answer } from "#tests/support/client.ts";
import { addressOf, type Happy } from "./fixture.ts";

/** List items that an example shows. */
const LIST_MAX = 2;

/** Makes the example of an endpoint from a request and its answer. */
export function exampleFrom(
  { endpoint }: NamedEndpoint,
  happy: Happy,
  { status, body: answer }: Answer,
): Example {
  return {
    request: `${endpoint.method} ${addressOf(endpoint.path, happy)}`,
    ...(happy.body === undefined ? {} : { body: happy.body }),
    status,
    ...(answer === "" ? {} : { answer: shorten(answer) }),
  };
}

function shorten(value: unknown): unknown {
  if (typeof value === "string" && value.includes("\0")) return "(the bytes of the file)";
  if (Array.isArray(value)) return value.slice(0, LIST_MAX).map(shorten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shorten(part)]));
}

/**
 * Expects the recorded example of an endpoint to have the same form as one made just now, and to fit the endpoint's
 * schemas.
 */
export function expectRecorded({ name, endpoint: { answer, ...rest } }: NamedEndpoint, fresh: Example): void {
  const recorded = exampleOf(name);
  // An endpoint without an example is new: this run records it.
  if (recorded === undefined) return;
  const fix = "RECORD_EXAMPLES=on bun test tests/api/walk.test.ts";
  expect({ fix, ...formOf(recorded) }).toEqual({ fix, ...formOf(fresh) });
  if (rest.body !== undefined) readResource(recorded.body, rest);
  if (answer !== undefined && answer !== "file")
    expect(v.parse(answer, recorded.answer)).toEqual(recorded.answer);
}

/** The form of an example, without its values. */
function formOf({ request, status, body, answer }: Example) {
  const [method = "", address = ""] = request.split(" ");
  return {
    method,
    parts: address.split("/").length,
    status,
    body: keysIn(body).toSorted(),
    answer: keysIn(answer).toSorted(),
  };
}

/** The paths of all keys in a value. For a list, those of its first item. Example: `.events[].title`. */
function keysIn(value: unknown, prefix = ""): string[] {
  if (Array.isArray(value)) return keysIn(value[0], `${prefix}[]`);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [
    `${prefix}.${key}`,
    ...keysIn(part, `${prefix}.${key}`),
  ]);
}

/** Writes the examples of the reference, one line per endpoint. @param examples by name, in the order of the reference. */
export async function recordExamples(examples: ReadonlyMap<string, Example>): Promise<void> {
  const lines = [...examples].map(([name, example]) => JSON.stringify({ name, ...example }));
  await Bun.write(EXAMPLES_FILE, `${lines.join("\n")}\n`);
}

/** True where one of these endpoints has no recorded example yet. */
export function isExampleMissing(examples: ReadonlyMap<string, Example>): boolean {
  return [...examples.keys()].some((name) => exampleOf(name) === undefined);
}
