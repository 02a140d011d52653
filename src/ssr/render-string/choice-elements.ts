import { writeAttribute } from "./attributes.ts";
import { escapeHtml, isOwn, leaveToReact, output, write } from "./output.ts";
import type { Props } from "./react-internals.ts";

/** Writes the start of an <option>, selected where its <select> has its value. */
export function writeOption(start: string, props: Props): void {
  write(start);
  for (const prop in props) {
    if (prop === "children" || prop === "selected" || !isOwn(props, prop)) continue;
    const value = props[prop];
    if (value !== null && value !== undefined) writeAttribute(prop, value);
  }
  if (isSelected(props)) write(' selected=""');
  write(">");
}

function isSelected(props: Props): boolean {
  const { selected } = output;
  if (selected === undefined) leaveToReact("an <option> of a kept part without its <select>");
  if (selected === null) return Boolean(props["selected"]);
  const own = props["value"] ?? props["children"] ?? "";
  if (!isText(own) || own === true || own === false) leaveToReact("an <option> whose value is no text");
  const value = String(own);
  if (Array.isArray(selected)) return selected.some((one) => isText(one) && String(one) === value);
  if (!isText(selected)) leaveToReact("a <select> whose value is no text");
  return String(selected) === value;
}

/** Writes a <textarea> with its content. */
export function writeTextarea(start: string, props: Props): null {
  if (isSet(props["children"]) || isSet(props["dangerouslySetInnerHTML"]))
    leaveToReact("a <textarea> with children");
  write(start);
  for (const prop in props) {
    if (prop === "value" || !isOwn(props, prop)) continue;
    const value = props[prop];
    if (isSet(value)) writeAttribute(prop, value);
  }
  write(">");
  const value = props["value"] ?? props["defaultValue"];
  if (!isSet(value)) return null;
  if (!isText(value)) leaveToReact("a <textarea> whose value is no text");
  const text = String(value);
  // A browser drops the first line break.
  write(text.startsWith("\n") ? `\n${escapeHtml(text)}` : escapeHtml(text));
  return null;
}

function isText(value: unknown): value is string | number | bigint | boolean {
  return ["string", "number", "bigint", "boolean"].includes(typeof value);
}

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined;
}
