import { snakeCase } from "#src/http/contract.ts";

type Values = {
  /** The text as typed; empty where the field is missing or holds a file. */
  text: string;
  /** The text without spaces around it; undefined where nothing is left. */
  optional: string | undefined;
  /** Undefined where the field is empty, NaN where it does not hold a number. */
  number: number | undefined;
  /** True where a checkbox with the value "1" is ticked. */
  checkbox: boolean;
  /** The values of all ticked checkboxes of this name. */
  list: string[];
};
export type Fields = Readonly<Record<string, keyof Values>>;

export type FormOf<Read extends Fields> = { [Name in keyof Read]: Values[Read[Name]] };

/**
 * Reads the fields of a form that was sent.
 * Example: `readForm(form, { title: "text", minWager: "number" })` reads `title` and `min_wager`.
 * @param fields the kind of each field, by its name in camelCase.
 * @param nameOf makes the field's name in the form; snake_case by default.
 */
export function readForm<const Read extends Fields>(
  form: FormData,
  fields: Read,
  nameOf: (field: string) => string = snakeCase,
): FormOf<Read> {
  const text = (field: string) => {
    const value = form.get(nameOf(field));
    return typeof value === "string" ? value : "";
  };
  const trimmed = (field: string) => text(field).trim();
  const read: { [Kind in keyof Values]: (field: string) => Values[Kind] } = {
    text,
    optional: (field) => trimmed(field) || undefined,
    number: (field) => (trimmed(field) === "" ? undefined : Number(text(field))),
    checkbox: (field) => text(field) === "1",
    list: (field) => form.getAll(nameOf(field)).filter((value) => typeof value === "string"),
  };
  const values = Object.entries(fields).map(([field, kind]) => [field, read[kind](field)]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries cannot type each key by itself.
  return Object.fromEntries(values) as FormOf<Read>;
}

/** The names of fields in the forms about a user: "rememberMe" -> "user[remember_me]". */
export function inUser(field: string): string {
  return `user[${snakeCase(field)}]`;
}
