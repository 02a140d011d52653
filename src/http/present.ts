import type * as v from "valibot";
import { dollarsOf } from "./money.ts";

type Record = v.ObjectSchema<v.ObjectEntries, undefined>;

/** What a record is made from: its fields, moments also as dates. Dollars follow from the cents beside them. */
type Source<View> = {
  [Field in keyof View as `${Field & string}Cents` extends keyof View ? never : Field]: Stored<View[Field]>;
};
type Stored<Value> = Value extends string ? Value | Date : Value;

/** The fields of each schema, with the name that the same amount in cents has. */
const known = new WeakMap<object, (readonly [field: string, cents: string])[]>();

/** The JSON of a record: the fields that its schema names, and nothing else of the row. */
export function present<Schema extends Record>(
  schema: Schema,
  row: Source<v.InferOutput<Schema>>,
): v.InferOutput<Schema>;
export function present({ entries }: Record, row: object): object {
  const fields = known.get(entries) ?? Object.keys(entries).map((field) => [field, `${field}Cents`] as const);
  known.set(entries, fields);
  const json: { [field: string]: unknown } = {};
  for (const [field, cents] of fields) {
    const value = valueOf(Reflect.get(row, field), Reflect.get(row, cents));
    if (value !== undefined) json[field] = value;
  }
  return json;
}

function valueOf(value: unknown, cents: unknown): unknown {
  if (typeof cents === "number") return dollarsOf(cents);
  if (cents === null) return null;
  return value instanceof Date ? value.toISOString() : value;
}
