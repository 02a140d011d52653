/**
 * Writes a Postgres array literal, which is passed as one text parameter and cast in the statement: `${...}::bigint[]`.
 * Drizzle would spread a JavaScript array into one parameter per element, which is a new statement for every length.
 */
export function writeIntegerArray(values: readonly (number | null)[]): string {
  return `{${values.map((value) => (value === null ? "NULL" : integer(value))).join(",")}}`;
}

/** Any text is safe: quotes and backslashes are escaped. */
export function writeTextArray(values: readonly (string | null)[]): string {
  return `{${values.map((value) => (value === null ? "NULL" : quoted(value))).join(",")}}`;
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

function integer(value: number): string {
  if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is not a whole number`);
  return String(value);
}
