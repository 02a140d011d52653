import { writeAttribute } from "./attributes.ts";
import { isOwn, leaveToReact, write } from "./output.ts";
import type { Props } from "./react-internals.ts";

/** React writes these after all other attributes, in this order. */
const formLast = ["action", "encType", "method", "target"] as const;
const buttonLast = ["name", "formAction", "formEncType", "formMethod", "formTarget"] as const;
const inputLast = [...buttonLast, "checked", "defaultChecked", "value", "defaultValue"] as const;

const lastOf = {
  form: new Set<string>(formLast),
  button: new Set<string>(buttonLast),
  input: new Set<string>(inputLast),
};

/** Writes the start of a <form>. */
export function writeForm(start: string, props: Props): void {
  write(start);
  writeFirst(props, lastOf.form);
  writeLast(props, formLast);
  write(">");
}

/** Writes the start of a <button>. */
export function writeButton(start: string, props: Props): void {
  write(start);
  writeFirst(props, lastOf.button);
  writeLast(props, buttonLast);
  write(">");
}

/** Writes an <input>. The default value and the default state are written where there are no current ones. */
export function writeInput(start: string, props: Props): null {
  if (isSet(props["children"]) || isSet(props["dangerouslySetInnerHTML"]))
    leaveToReact("an <input> with content");
  write(start);
  writeFirst(props, lastOf.input);
  writeLast(props, buttonLast);
  const checked = props["checked"] ?? props["defaultChecked"];
  if (Boolean(checked) && typeof checked !== "function" && typeof checked !== "symbol") write(' checked=""');
  const value = props["value"] ?? props["defaultValue"];
  if (isSet(value)) writeAttribute("value", value);
  write("/>");
  return null;
}

function writeFirst(props: Props, last: ReadonlySet<string>): void {
  for (const prop in props) {
    if (prop === "children" || last.has(prop) || !isOwn(props, prop)) continue;
    const value = props[prop];
    if (isSet(value)) writeAttribute(prop, value);
  }
}

function writeLast(props: Props, names: readonly string[]): void {
  for (const name of names) {
    const value = props[name];
    if (!isSet(value)) continue;
    if (typeof value === "function" && name.toLowerCase().endsWith("action"))
      leaveToReact("a form action that is code");
    writeAttribute(name, value);
  }
}

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined;
}
