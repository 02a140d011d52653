import { camelCase, snakeCase } from "#src/http/contract.ts";

const SNAKE_KEY = /"[a-z\d]+_[a-z\d_]+":/;

/** Converts every key of a JSON value to snake_case, for requests. */
export function snakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => snakeKeys(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [snakeCase(key), snakeKeys(inner)]));
}

/** Parses JSON and converts every key to camelCase. JSON without a key in snake_case is parsed without the conversion. */
export function parseCamel<T>(text: string): T {
  const value: T = SNAKE_KEY.test(text)
    ? JSON.parse(text, (_, inner: unknown) => (isObject(inner) ? camelKeys(inner) : inner))
    : JSON.parse(text);
  return value;
}

function camelKeys(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [camelCase(key), inner]));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
