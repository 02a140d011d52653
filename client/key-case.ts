const SNAKE_KEY = /"[a-z\d]+_[a-z\d_]+":/;

/** Every key of a JSON value in snake_case, for what is sent. */
export function snakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => snakeKeys(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [snakeWord(key), snakeKeys(inner)]));
}

/** "spotId" -> "spot_id" */
export function snakeWord(word: string): string {
  return word.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Decodes JSON with every key in camelCase. The walk is spared where no key needs it. */
export function parseCamel<T>(text: string): T {
  const value: T = SNAKE_KEY.test(text)
    ? JSON.parse(text, (_, inner: unknown) => (isObject(inner) ? camelKeys(inner) : inner))
    : JSON.parse(text);
  return value;
}

function camelKeys(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [camelWord(key), inner]));
}

function camelWord(word: string): string {
  return word.replaceAll(/(?<=[a-z\d])_+([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
