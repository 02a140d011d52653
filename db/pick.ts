/** These fields of an object: columns of a table for a SELECT, values of a row. */
export function pick<Whole extends object, Field extends keyof Whole & string>(
  whole: Whole,
  ...fields: readonly Field[]
): Pick<Whole, Field>;
export function pick(whole: object, ...fields: readonly string[]): object {
  return Object.fromEntries(fields.map((field): [string, unknown] => [field, Reflect.get(whole, field)]));
}
