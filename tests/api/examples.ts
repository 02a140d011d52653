import { expect } from "bun:test";
import * as v from "valibot";
import type { NamedEndpoint } from "#src/api/all-endpoints.ts";
import { type Example, exampleOf } from "#src/api/examples.ts";
import { readResource } from "#src/http/read-resource.ts";
import type { Answer } from "#tests/support/visitor.ts";
import { addressOf, type Happy } from "./stage.ts";

const FILE = new URL("../../src/api/examples.json", import.meta.url);
/** Of a list, the reference shows no more. */
const LIST_MAX = 2;

/** What the reference says of a request that was made. */
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
  if (Array.isArray(value)) return value.slice(0, LIST_MAX).map(shorten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shorten(part)]));
}

/** Expects that the reference has an example, and that it says the same as one that was made just now. */
export function expectShown({ name, endpoint: { answer, ...rest } }: NamedEndpoint, fresh: Example): void {
  const shown = exampleOf(name);
  if (shown === undefined) throw new Error(`The reference has no example of ${name}: see RECORD_EXAMPLES.`);
  const cure = "RECORD_EXAMPLES=on bun test tests/api/walk.test.ts";
  expect({ cure, ...gistOf(shown) }).toEqual({ cure, ...gistOf(fresh) });
  if (rest.body !== undefined) readResource(shown.body, rest);
  if (answer !== undefined && answer !== "file") expect(v.parse(answer, shown.answer)).toEqual(shown.answer);
}

/** What is the same in both, whatever numbers and names are in them. */
function gistOf({ request, status, body, answer }: Example) {
  const [method = "", address = ""] = request.split(" ");
  return {
    method,
    parts: address.split("/").length,
    status,
    body: namesIn(body).toSorted(),
    answer: namesIn(answer).toSorted(),
  };
}

/** All names in a value, in their places; of a list, those in its first. */
function namesIn(value: unknown, place = ""): string[] {
  if (Array.isArray(value)) return namesIn(value[0], `${place}[]`);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [
    `${place}.${key}`,
    ...namesIn(part, `${place}.${key}`),
  ]);
}

/** Writes the reference's examples anew, in the order of the table. */
export async function record(made: ReadonlyMap<string, Example>): Promise<void> {
  await Bun.write(FILE, `${JSON.stringify(Object.fromEntries(made), null, 2)}\n`);
}
