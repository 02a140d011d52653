import { parseSync } from "oxc-parser";

/** An element in which a text that a page translator has replaced would be wrong, or would lose the screen. */
export type BareText = { line: number; fault: "lost" | "stale" };

type Node = { type: string; start: number; [field: string]: unknown };
/**
 * What a child puts on the page: a text that stays as it is, one that changes, elements, or one of several. `other`: the children
 * that a component was given, for example.
 */
type Content = "nothing" | "blank" | "constant" | "changing" | "element" | "other" | readonly Content[];

/** Props that take elements. */
const elementProps = /^(children|aside|actions|content|table|list|start|icon|footer)$/;
/** Functions whose answer is elements. */
const elementCalls = /^(map|fill|children|actions|render\w*)$/;

/**
 * Page translators put an element in the place of each text. React does not know of it: it changes the text that is no longer on the
 * page (`stale`), and where it removes that text, or puts an element before it, the browser throws (`lost`). A text that is the
 * only child of its element is written whole, and is always right.
 */
export function findBareTexts(file: string, code: string): BareText[] {
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed.`);
  const found: BareText[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (isNode(value)) {
      const fault = faultOf(value) ?? faultOfComponent(value);
      if (fault !== null) found.push({ line: code.slice(0, value.start).split("\n").length, fault });
      for (const child of Object.values(value)) visit(child);
    }
  };
  visit(program.body);
  return found;
}

function faultOf({ type, children }: Node): BareText["fault"] | null {
  if ((type !== "JSXElement" && type !== "JSXFragment") || !Array.isArray(children)) return null;
  const contents = children.map(contentOf).filter((content) => content !== "nothing");
  if (contents.length < 2) return null;
  if (
    contents.some(mayLoseText) ||
    contents.some((content, index) => mayBePutBefore(content, contents[index + 1]))
  )
    return "lost";
  return contents.some((content) => includes(content, "changing")) ? "stale" : null;
}

/** A component that is a text and no element. */
function faultOfComponent({ type, id, body }: Node): BareText["fault"] | null {
  if (type !== "FunctionDeclaration" || !/^[A-Z]/.test(nameOf(id))) return null;
  return returnsOf(body).some((content) => includes(content, "changing")) ? "stale" : null;
}

/** What the function returns itself, and not the functions in it. */
function returnsOf(value: unknown): Content[] {
  if (Array.isArray(value)) return value.flatMap(returnsOf);
  if (!isNode(value) || /Function|^JSX/.test(value.type)) return [];
  if (value.type === "ReturnStatement") return [contentOf(value["argument"])];
  return Object.values(value).flatMap(returnsOf);
}

/** A text that is replaced by nothing, or by an element. */
function mayLoseText(content: Content): boolean {
  if (typeof content === "string") return false;
  const isText = (each: Content) => includes(each, "constant") || includes(each, "changing");
  return content.some(isText) && !content.every(isText);
}

/** An element that comes later than the text behind it. */
function mayBePutBefore(content: Content, next: Content | undefined): boolean {
  const comes = typeof content !== "string" && includes(content, "element") && includes(content, "nothing");
  return comes && next !== undefined && (includes(next, "constant") || includes(next, "changing"));
}

function includes(content: Content, wanted: string): boolean {
  return typeof content === "string" ? content === wanted : content.some((each) => includes(each, wanted));
}

function contentOf(node: unknown): Content {
  if (!isNode(node)) return "nothing";
  switch (node.type) {
    case "JSXText":
      return textOf(node["value"]);
    case "JSXExpressionContainer":
    case "ParenthesizedExpression":
      return contentOf(node["expression"]);
    case "JSXElement":
    case "JSXFragment":
      return "element";
    case "Literal":
      return literalOf(node["value"]);
    case "TemplateLiteral":
      return "changing";
    case "ConditionalExpression":
      return [contentOf(node["consequent"]), contentOf(node["alternate"])];
    case "LogicalExpression":
      return logicalOf(node);
    default:
      return contentOfName(node);
  }
}

function logicalOf({ operator, left, right }: Node): Content {
  return [contentOf(right), operator === "&&" ? "nothing" : contentOf(left)];
}

/** A value by its name: `texts.send` is a constant, `texts.sent(count)` and `event.title` change. */
function contentOfName(node: Node): Content {
  if (node.type === "Identifier") return elementProps.test(nameOf(node)) ? "other" : "changing";
  if (node.type === "MemberExpression") {
    const owner = nameOf(node["object"]);
    if (elementProps.test(nameOf(node["property"]))) return "other";
    return /[tT]exts$|^say$/.test(owner) && node["computed"] !== true ? "constant" : "changing";
  }
  if (node.type !== "CallExpression") return "nothing";
  const callee = node["callee"];
  const name = isNode(callee) && callee.type === "MemberExpression" ? callee["property"] : callee;
  return elementCalls.test(nameOf(name)) ? "other" : "changing";
}

/** Line breaks between elements are no text; translators leave spaces alone. */
function textOf(value: unknown): Content {
  const text = String(value);
  if (text.trim() !== "") return "constant";
  return text.includes("\n") || text === "" ? "nothing" : "blank";
}

function literalOf(text: unknown): Content {
  if (typeof text !== "string" || text === "") return "nothing";
  return text.trim() === "" ? "blank" : "constant";
}

function nameOf(node: unknown): string {
  return isNode(node) && typeof node["name"] === "string" ? node["name"] : "";
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
