import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { JSON_DEPTH_MAX, measureJson } from "#src/http/contract.ts";
import { noTexts, type Part, partNamed, planColumns, type PlanTexts } from "./columns.ts";
import { gatherParts } from "./gather-parts.ts";
import { type LeftOut, type PlanLine, type PlanReading, unreadable } from "./plan-reading.ts";
import { withoutMarkers } from "./strip-markers.ts";

const strict = { disallowComments: true, allowTrailingComma: false };
const listNames = [
  "blueprintEvents",
  "blueprint_events",
  "events",
  "actions",
  "questions",
  "items",
  "results",
];
/** The key of an answer's text in a list of answers. */
const answerKeys = new Set(["text", "answer", "label", "title", "option", "value", "content", "name"]);
/** The key by which a list of answers marks the right one. */
const rightKey = /^(?:is_?)?(?:correct|right)(?:_?answer)?$/i;

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
  return root === undefined ? unreadable("This is not JSON") : readRoot(text, root);
}

function readRoot(text: string, root: Node): PlanReading {
  const blueprint = [root, ...valuesIn(root)].find((node) => listIn(node) !== undefined) ?? root;
  const items = root.type === "array" ? root : listIn(blueprint);
  if (items?.children === undefined)
    return unreadable('It is JSON, but has no list of actions: name it "blueprintEvents", or send a list');
  const read = readItems(text, items.children);
  const own = items === root ? null : blueprintIn(blueprint);
  const leftOut = [
    ...(blueprint === root ? [] : unusedAround(root, { items: blueprint, isNamed: false })),
    ...unusedAround(blueprint, { items, isNamed: own !== null }),
    ...unusedIn(read),
  ];
  const lines = read.map(({ line, texts, faults }) => ({ line, texts, faults }));
  if (findNodeAtLocation(blueprint, ["results"]) === items)
    for (const { texts } of lines) decodeEntities(texts);
  const areTexts = items.children.every(({ type }) => type === "string");
  return { lines: areTexts ? withoutMarkers(lines) : lines, leftOut, fault: null, blueprint: own };
}

function readItems(text: string, nodes: readonly Node[]): Item[] {
  let line = 1;
  let at = 0;
  return nodes.map((node) => {
    line += breaksIn(text.slice(at, node.offset));
    at = node.offset;
    return readItem(node, line);
  });
}

/** The list of actions in an object: one that is named so, or else the only list in it. */
function listIn(node: Node): Node | undefined {
  const named = listNames
    .map((name) => findNodeAtLocation(node, [name]))
    .find((child) => child?.type === "array");
  const lists = valuesIn(node).filter(
    ({ type, children }) => type === "array" && children?.[0]?.type === "object",
  );
  return named ?? (lists.length === 1 ? lists[0] : undefined);
}

/** The keys of an object with their values; none for any other value. */
function pairsIn({ type, children = [] }: Node): { key: string; value: Node }[] {
  if (type !== "object") return [];
  return children.flatMap(({ children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [{ key: textOf(key), value }],
  );
}

const valuesIn = (node: Node) => pairsIn(node).map(({ value }) => value);

type Item = PlanLine & { unused: { key: string; why: string }[] };

function readItem(node: Node, line: number): Item {
  const texts = noTexts();
  if (node.type === "string")
    return { line, texts: { ...texts, title: textOf(node) }, faults: [], unused: [] };
  if (node.type !== "object")
    return { line, texts, faults: ["It is neither a text nor an action"], unused: [] };
  const pairs = pairsIn(node).map((pair) => ({ ...pair, parts: partsOf(pair) }));
  const { surplus, ...read } = gatherParts(
    line,
    pairs.flatMap(({ parts }) => parts),
  );
  const left = new Set(surplus);
  const unused = pairs.flatMap(({ key, parts, value }) => {
    const isUsed = parts.length === 0 ? isEmpty(value) : !parts.some((part) => left.has(part));
    const within = isUsed && parts.length > 0 ? unusedInAnswers(value) : [];
    return [...(isUsed ? [] : [key]), ...within].map((name) => ({
      key: name,
      why: "a key that is not used",
    }));
  });
  return { ...read, unused };
}

/** The keys in a list of answers that say nothing about an action. */
function unusedInAnswers(value: Node): string[] {
  return answersIn(value).flatMap((answer) => {
    const read = answerIn(answer);
    return pairsIn(answer).flatMap((pair) =>
      pair.value === read || rightKey.test(pair.key) || isEmpty(pair.value) ? [] : [pair.key],
    );
  });
}

const isEmpty = (value: Node) =>
  value.type === "null" || value.children?.length === 0 || (value.type === "string" && textOf(value) === "");

/** What a key and its value say. A list of answers is one part each. */
function partsOf({ key, value }: { key: string; value: Node }): Part[] {
  const part = partNamed(key);
  if (part === null || part === "aside") return [];
  // Some count from 0 on.
  if (part === "rightAnswer" && value.type === "number") return [{ part, text: `index ${textOf(value)}` }];
  if (value.type !== "array" && value.type !== "object") return [{ part, text: textOf(value) }];
  if (part !== "answers" && part !== "wrongAnswer") return [];
  const each = part === "answers" ? "answer" : part;
  const right = part === "answers" ? answersIn(value).filter((node) => isMarkedRight(node)) : [];
  return [
    ...answersIn(value).map((node): Part => ({ part: each, text: answerOf(node) })),
    ...right.map((node): Part => ({ part: "rightAnswer", text: answerOf(node) })),
  ];
}

const answersIn = (value: Node) => (value.type === "array" ? (value.children ?? []) : valuesIn(value));
const isMarkedRight = (answer: Node) =>
  pairsIn(answer).some(({ key, value }) => rightKey.test(key) && /^(?:true|1|yes)$/i.test(textOf(value)));

/** The value that is an answer's text. */
const answerIn = (node: Node) => pairsIn(node).find(({ key }) => answerKeys.has(key.toLowerCase()))?.value;

function answerOf(node: Node): string {
  const text = node.type === "object" ? answerIn(node) : node;
  return text === undefined ? "" : textOf(text);
}

/** Each key once, on the line where it is first. */
function unusedIn(items: readonly Item[]): LeftOut[] {
  const said = new Map<string, LeftOut>();
  for (const { line, unused } of items)
    for (const { key, why } of unused) if (!said.has(key)) said.set(key, { line, text: key, why });
  return [...said.values()];
}

function unusedAround(node: Node, { items, isNamed }: { items: Node; isNamed: boolean }): LeftOut[] {
  const used = isNamed ? ["name", "description", "defaults"] : [];
  return pairsIn(node)
    .filter(({ key, value }) => value !== items && !used.includes(key) && !isEmpty(value))
    .map(({ key }) => ({ line: 1, text: key, why: "a key that is not used" }));
}

function textOf(node: Node): string {
  const value: unknown = getNodeValue(node);
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

const entities: Record<string, string> = {
  amp: "&",
  quot: '"',
  apos: "'",
  lt: "<",
  gt: ">",
  nbsp: " ",
  hellip: "…",
  shy: "",
};
const quotes: Record<string, string> = {
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  ndash: "–",
  mdash: "—",
};
const accents: Record<string, string> = {
  acute: "\u0301",
  grave: "\u0300",
  uml: "\u0308",
  circ: "\u0302",
  tilde: "\u0303",
  cedil: "\u0327",
};

/** The Open Trivia Database writes its texts as HTML does: "Who said &quot;d&eacute;j&agrave; vu&quot;?" */
function decodeEntities(texts: PlanTexts): void {
  for (const column of planColumns)
    texts[column] = texts[column].replaceAll(
      /&(?:#(\d{1,6})|([A-Za-z])([a-z]{3,5})|[a-z]{2,6});/g,
      (entity, ...found) => {
        const [code, letter, accent]: unknown[] = found;
        if (typeof code === "string") return String.fromCodePoint(Math.min(Number(code), 0xff_ff));
        const name = entity.slice(1, -1);
        const mark = accents[String(accent)];
        const plain = entities[name] ?? quotes[name];
        return plain ?? (mark === undefined ? entity : `${String(letter)}${mark}`.normalize("NFC"));
      },
    );
}

function blueprintIn(node: Node): PlanReading["blueprint"] {
  const [name, description, defaults] = ["name", "description", "defaults"].map((key) =>
    findNodeAtLocation(node, [key]),
  );
  if (name === undefined) return null;
  return {
    name: textOf(name),
    description: description === undefined ? "" : textOf(description),
    defaults: defaults === undefined ? {} : settingsIn(defaults),
  };
}

/** Keys in snake_case are read too, as everywhere in the API. */
function settingsIn(node: Node): Record<string, unknown> {
  return Object.fromEntries(
    pairsIn(node).map(({ key, value }) => [
      key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      getNodeValue(value),
    ]),
  );
}

const breaksIn = (text: string) => text.split(/\r\n|\r|\n/).length - 1;

/** "CommaExpected" -> "comma expected" */
function wordsOf(code: string): string {
  return code.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}
