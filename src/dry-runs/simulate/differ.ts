import { isDeepStrictEqual } from "node:util";

/** Compares. @returns one sentence if the values differ, else none. */
export function differ(what: string, actual: unknown, expected: unknown): string[] {
  if (isDeepStrictEqual(actual, expected)) return [];
  return [`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`];
}
