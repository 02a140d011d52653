/** A form's field as text; empty where it is missing or a file. */
export function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** A form's field as a number; undefined where it was left empty, NaN where it is none. */
export function numberIn(form: FormData, name: string): number | undefined {
  const text = textIn(form, name).trim();
  return text === "" ? undefined : Number(text);
}
