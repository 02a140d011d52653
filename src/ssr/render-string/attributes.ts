import { attributeNameOf, unitless } from "./attribute-names.ts";
import { escapeHtml, isOwn, leaveToReact, write } from "./output.ts";
import { isProps } from "./react-internals.ts";

/** Writes an attribute whose value is neither null nor undefined. */
type Write = (value: unknown) => void;

const RULES_MAX = 2_000;
/** Rules by prop. Those of names that are met later are added. */
const rules = new Map<string, Write>();

/** Writes a prop of an element as its attribute, by React's rules. */
export function writeAttribute(prop: string, value: unknown): void {
  const rule = rules.get(prop);
  if (rule === undefined) addRule(prop)(value);
  else rule(value);
}

function addRule(prop: string): Write {
  const rule = otherRule(prop);
  if (rules.size < RULES_MAX) rules.set(prop, rule);
  return rule;
}

/** A prop without a rule of its own: a handler, which is not written, or an attribute. */
function otherRule(prop: string): Write {
  if (prop.length > 2 && /^on/i.test(prop)) return nothing;
  const name = attributeNameOf(prop) ?? leaveToReact("an attribute with an unusual name");
  const start = ` ${name}="`;
  const takesBooleans = /^(?:data|aria)-/i.test(name);
  return (value) => {
    if (isCode(value) || (typeof value === "boolean" && !takesBooleans)) return;
    writeQuoted(start, escaped(value));
  };
}

/** @param start the attribute's name with the first quote. */
function writeQuoted(start: string, value: string): void {
  write(start);
  write(value);
  write('"');
}

function nothing(): void {
  // Not an attribute.
}

function isCode(value: unknown): boolean {
  return typeof value === "function" || typeof value === "symbol";
}

/** The value as escaped text. React makes objects text too; that is a mistake, which React may explain. */
function escaped(value: unknown): string {
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return leaveToReact("an attribute that is no text");
}

const text = (name: string): Write => {
  const start = ` ${name}="`;
  return (value) => {
    if (!isCode(value) && typeof value !== "boolean") writeQuoted(start, escaped(value));
  };
};
const textOrBoolean = (name: string): Write => {
  const start = ` ${name}="`;
  return (value) => {
    if (!isCode(value)) writeQuoted(start, escaped(value));
  };
};
const flag =
  (name: string): Write =>
  (value) => {
    if (Boolean(value) && !isCode(value)) write(` ${name}=""`);
  };
const flagOrText =
  (name: string): Write =>
  (value) => {
    if (value === true) write(` ${name}=""`);
    else if (value !== false && !isCode(value)) write(` ${name}="${escaped(value)}"`);
  };
const number =
  (name: string, { min }: { min: number }): Write =>
  (value) => {
    if (isCode(value) || Number.isNaN(Number(value)) || Number(value) < min) return;
    write(` ${name}="${escaped(value)}"`);
  };
const url = (name: string, { emptyToo }: { emptyToo: boolean }): Write => {
  const start = ` ${name}="`;
  return (value) => {
    if (isCode(value) || typeof value === "boolean" || (value === "" && !emptyToo)) return;
    const address = escaped(value);
    // React replaces addresses that are scripts.
    if (!usualAddress.test(address)) leaveToReact("an address of an unusual kind");
    writeQuoted(start, address);
  };
};
const usualAddress = /^(?:[/?#.]|https?:|mailto:|blob:|data:|[^:]*$)/;

const styleNames = new Map<string, string>();

function style(styles: unknown): void {
  if (!isProps(styles)) leaveToReact("a style that is no object");
  let css = "";
  for (const name in styles) {
    if (!isOwn(styles, name)) continue;
    const value = styles[name];
    if (value === null || value === undefined || typeof value === "boolean" || value === "") continue;
    css += css === "" ? ' style="' : ";";
    css += name.startsWith("--")
      ? `${escapeHtml(name)}:${escaped(value).trim()}`
      : `${styleName(name)}:${styleValue(name, value)}`;
  }
  if (css !== "") write(`${css}"`);
}

function styleName(name: string): string {
  const known = styleNames.get(name);
  if (known !== undefined) return known;
  const dashedName = name.replaceAll(/[A-Z]/g, "-$&").toLowerCase().replace(/^ms-/, "-ms-");
  const result = escapeHtml(dashedName);
  if (styleNames.size < RULES_MAX) styleNames.set(name, result);
  return result;
}

function styleValue(name: string, value: unknown): string {
  if (typeof value === "number") return value === 0 || unitless.has(name) ? String(value) : `${value}px`;
  return escaped(value).trim();
}

function add(rule: (name: string) => Write, names: string): void {
  for (const name of names.split(/\s+/)) rules.set(name, rule(name));
}

add(
  () => nothing,
  "children dangerouslySetInnerHTML defaultValue defaultChecked innerHTML ref suppressContentEditableWarning suppressHydrationWarning",
);
add(text, "dir role viewBox width height");
add(
  textOrBoolean,
  "contentEditable spellCheck draggable value autoReverse externalResourcesRequired focusable",
);
add(textOrBoolean, "preserveAlpha");
add((name) => flag(name.toLowerCase()), "autoFocus multiple muted");
add(
  flag,
  `inert allowFullScreen async autoPlay controls credentialless default defer disabled disablePictureInPicture
  disableRemotePlayback formNoValidate hidden loop noModule noValidate open playsInline readOnly required reversed scoped
  seamless itemScope`,
);
add(flagOrText, "capture download");
add((name) => number(name, { min: 1 }), "cols rows size span");
add((name) => number(name, { min: -Infinity }), "rowSpan start");
add((name) => url(name, { emptyToo: false }), "src href");
add((name) => url(name, { emptyToo: true }), "action formAction");
for (const name of ["actuate", "arcrole", "role", "show", "title", "type"]) {
  rules.set(`xlink${name.charAt(0).toUpperCase()}${name.slice(1)}`, text(`xlink:${name}`));
}
for (const name of ["base", "lang", "space"]) {
  rules.set(`xml${name.charAt(0).toUpperCase()}${name.slice(1)}`, text(`xml:${name}`));
}
rules.set("className", text("class"));
rules.set("tabIndex", text("tabindex"));
rules.set("xlinkHref", url("xlink:href", { emptyToo: true }));
rules.set("style", style);
