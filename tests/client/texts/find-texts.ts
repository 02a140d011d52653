import { parseSync } from "oxc-parser";

/** A text for people in a file of code. */
export type FoundText = { line: number; text: string };

type Node = { type: string; start: number; [field: string]: unknown };

/** What people read or hear of an element, beside its children. */
const spokenAttributes =
  /^(aria-(label|description|roledescription|valuetext|placeholder)|title|placeholder|alt|label|spoken|unit|why)$/;

/** Attributes and fields whose words are for the browser. */
const technicalNames =
  /^(class(Name)?|d|transform|style|viewBox|preserveAspectRatio|accept|media|sizes|points|sandbox|allow|rel|key|aria-keyshortcuts|data-.*|font|path|route|set-cookie)$|Class(es|Name)?$/;

/** Functions that take selectors, names and patterns; an error's message is for the log. */
const technicalCallees =
  /^\.(querySelector(All)?|matches|closest|matchMedia|addEventListener|removeEventListener|getElementById|createElement|log|warn|test|has|get|set|includes|startsWith|endsWith|setProperty|register|supports|open|keys|request|setAttribute)$|Error$|^(Unreachable|FontFace|super)$/;

/** Words with spaces between them, or one that starts like a sentence. */
const readsAsText = /\p{L}[\p{L}'’]*[,.:;!?]*\s+\$?\p{L}|^\s*\p{Lu}\p{Ll}+/u;

/** A whole word between spaces, also in parentheses; between values it is a part of a sentence: `ends ${time}`, `${name} (you)`. */
const hasWord = /(^|\s)\(?\p{L}{2,}\)?[,.:;!?]*(\s|$)/u;

/** "UserChannel", a path, a selector, a media query, a media type, HTML. */
const readsAsCode = /^\p{Lu}\p{Ll}+\p{Lu}\p{L}+$|^\s*[/.#<(]|^\w+\/\w+|<\/?[a-z]/u;
/** Parts of HTML, and of a selector. */
const isMarkup = /<\/?[a-z]|\[[\w-]+="/u;

/** Class names, keys, messages between programs and features of browsers that look like texts. */
const notTexts = new Set([
  "card dim",
  "card won",
  "card quiet",
  "avatar xl",
  "avatar lg",
  "side ",
  " quiet",
  "event ",
  "start ",
  "take over",
  "username webauthn",
  "Space",
  "Enter",
  "Plus",
  "Temporal",
  "Notification",
]);

/**
 * Finds the texts for people in a component or another file of the client: text between tags, strings of attributes that are
 * read aloud, and strings elsewhere that read as text.
 */
export function findTexts(file: string, code: string): FoundText[] {
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed.`);
  const found: FoundText[] = [];
  const visit = (value: unknown, parents: readonly Node[]): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, parents);
    } else if (isNode(value)) {
      const text = textOf(value, parents);
      if (text !== null) found.push({ line: code.slice(0, value.start).split("\n").length, text });
      if (isForCode(value)) return;
      const below = [value, ...parents];
      for (const [field, child] of Object.entries(value)) {
        if (value.type !== "SwitchCase" || field !== "test") visit(child, below);
      }
    }
  };
  visit(program.body, []);
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** Parts of code that hold no text: imports, types, errors, comparisons, and what is for the browser. */
function isForCode(node: Node): boolean {
  if (
    /^(Import|ExportAll|ExportNamed.*Source|TSType|TSLiteral|TSInterface|TSUnion|TSIndexed|Throw)/.test(
      node.type,
    )
  ) {
    return node.type !== "TSTypeAssertion";
  }
  if (node.type === "PropertyDefinition") return nameOf(node["key"]) === "name";
  if (node.type === "JSXAttribute" || node.type === "Property") {
    return technicalNames.test(nameOf(node["name"] ?? node["key"]));
  }
  if (node.type === "VariableDeclarator") return technicalNames.test(nameOf(node["id"]));
  if (node.type === "NewExpression" || node.type === "CallExpression") {
    return technicalCallees.test(calleeOf(node["callee"]));
  }
  return node.type === "BinaryExpression" && /^([!=]==?|in)$/.test(String(node["operator"]));
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return "";
  const name = node["name"] ?? node["value"];
  return typeof name === "string" ? name : "";
}

function calleeOf(node: unknown): string {
  if (!isNode(node)) return "";
  if (node.type === "Super") return "super";
  return node.type === "MemberExpression" ? `.${nameOf(node["property"])}` : nameOf(node);
}

/** The text of a piece of code, if people read it; otherwise null. */
function textOf(node: Node, parents: readonly Node[]): string | null {
  if (node.type === "JSXText") return ifWords(stringOf(node["value"]));
  const text = stringOfLiteral(node);
  if (text === null) return null;
  if (isSpoken(parents)) return ifWords(text);
  return isBesideValue(node, parents) ? (ifWordBesideValue(text) ?? ifText(text)) : ifText(text);
}

function stringOfLiteral(node: Node): string | null {
  if (node.type === "Literal") return typeof node["value"] === "string" ? node["value"] : null;
  if (node.type !== "TemplateElement") return null;
  const value = node["value"];
  return typeof value === "object" && value !== null && "cooked" in value ? stringOf(value.cooked) : null;
}

/** A part of a template string that has values. */
function isBesideValue({ type }: Node, [template]: readonly Node[]): boolean {
  const values = template?.["expressions"];
  return type === "TemplateElement" && Array.isArray(values) && values.length > 0;
}

function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Directly between tags, or in an attribute that is read aloud. */
function isSpoken(parents: readonly Node[]): boolean {
  const owner = parents.find(
    ({ type }) =>
      type !== "ConditionalExpression" && type !== "TemplateLiteral" && type !== "LogicalExpression",
  );
  if (owner?.type === "CallExpression") return calleeOf(owner["callee"]) === "countOf";
  if (owner?.type === "JSXAttribute") return spokenAttributes.test(nameOf(owner["name"]));
  if (owner?.type !== "JSXExpressionContainer") return false;
  const around = parents[parents.indexOf(owner) + 1];
  return around?.type !== "JSXAttribute" || spokenAttributes.test(nameOf(around["name"]));
}

function ifWords(text: string): string | null {
  return /\p{L}/u.test(text) ? text.trim() : null;
}

function ifWordBesideValue(text: string): string | null {
  return hasWord.test(text) && /\s/.test(text) && !isMarkup.test(text) && !notTexts.has(text)
    ? text.trim()
    : null;
}

function ifText(text: string): string | null {
  return readsAsText.test(text) && !readsAsCode.test(text) && !notTexts.has(text) ? text.trim() : null;
}
