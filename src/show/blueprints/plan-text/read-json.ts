import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { JSON_DEPTH_MAX, measureJson } from "#src/http/contract.ts";
import { columnNamed, noTexts, type PlanTexts } from "./columns.ts";
import { type PlanLine, type PlanReading, unreadable } from "./plan-reading.ts";
import { withoutMarkers } from "./strip-markers.ts";

const strict = { disallowComments: true, allowTrailingComma: false };
const listNames = ["blueprintEvents", "blueprint_events", "events", "actions", "questions", "items"];

/** True for a text that is meant as JSON. A question may begin with a bracket; JSON goes on with a quote, a bracket or its end. */
export function looksLikeJson(text: string): boolean {
  return /^\s*(\{\s*["}]|\[\s*["[{\]])/.test(text);
}

/** Reads a blueprint of ours, a list of actions, or a list of questions. Each action has the line on which it begins. */
export function readJson(text: string): PlanReading {
  if (measureJson(text).depth > JSON_DEPTH_MAX) return unreadable("It is nested too deeply");
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, strict);
  const [error] = errors;
  if (error !== undefined) {
    const what = wordsOf(printParseErrorCode(error.error));
    const line = 1 + breaksIn(text.slice(0, error.offset));
    return unreadable(`Line ${line}: this is not JSON (${what})`);
  }
  if (root === undefined) return unreadable("This is not JSON");
  const blueprint = childOf(root, "blueprint") ?? root;
  const list = listNames.map((name) => childOf(blueprint, name)).find((node) => node?.type === "array");
  const items = root.type === "array" ? root : list;
  if (items?.children === undefined)
    return unreadable('It is JSON, but has no list of actions: name it "blueprintEvents", or send a list');
  let line = 1;
  let at = 0;
  const read = items.children.map((node) => {
    line += breaksIn(text.slice(at, node.offset));
    at = node.offset;
    return readItem(node, line);
  });
  const lines = items.children.every(({ type }) => type === "string") ? withoutMarkers(read) : read;
  return { lines, leftOut: [], fault: null, blueprint: items === root ? null : blueprintIn(blueprint) };
}

function readItem(node: Node, line: number): PlanLine {
  const texts = noTexts();
  if (node.type === "string") return { line, texts: { ...texts, title: textOf(node) }, faults: [] };
  if (node.type !== "object") return { line, texts, faults: ["It is neither a text nor an action"] };
  // Exported actions also have ids and amounts in cents, which mean nothing here.
  for (const { children: [key, value] = [] } of node.children ?? []) {
    const column = key === undefined ? null : columnNamed(textOf(key));
    if (column !== null && value !== undefined) assign(texts, column, textOf(value));
  }
  return { line, texts, faults: [] };
}

function assign(texts: PlanTexts, column: keyof PlanTexts, text: string): void {
  if (texts[column] === "") texts[column] = text;
}

function textOf(node: Node): string {
  const value: unknown = getNodeValue(node);
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function childOf(node: Node, name: string): Node | undefined {
  const found =
    node.type === "object" ? node.children?.find(({ children }) => keyOf(children) === name) : undefined;
  return found?.children?.[1];
}

const keyOf = (pair: Node[] | undefined) => (pair?.[0] === undefined ? "" : textOf(pair[0]));

function blueprintIn(node: Node): PlanReading["blueprint"] {
  const [name, description, defaults] = ["name", "description", "defaults"].map((key) => childOf(node, key));
  if (name === undefined) return null;
  return {
    name: textOf(name),
    description: description === undefined ? "" : textOf(description),
    defaults: defaults === undefined ? {} : settingsIn(defaults),
  };
}

/** Keys in snake_case are read too, as everywhere in the API. */
function settingsIn(node: Node): Record<string, unknown> {
  const pairs = node.type === "object" ? (node.children ?? []) : [];
  return Object.fromEntries(
    pairs.flatMap(({ children: [key, value] = [] }) =>
      key === undefined || value === undefined
        ? []
        : [
            [
              textOf(key).replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
              getNodeValue(value),
            ],
          ],
    ),
  );
}

const breaksIn = (text: string) => text.split(/\r\n|\r|\n/).length - 1;

/** "CommaExpected" -> "comma expected" */
function wordsOf(code: string): string {
  return code.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}
