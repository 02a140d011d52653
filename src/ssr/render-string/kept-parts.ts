import { output, piecesCount, takePieces, write } from "./output.ts";
import type { Component, Props } from "./react-internals.ts";

/** What a part has written, and what follows from it for the text around it and for the start of the page. */
type KeptPart = { html: string; startsWithText: boolean; endsWithText: boolean; pictures: readonly string[] };
/** What is kept of a component, by the names and values of its props, one after the other. */
export type KeptTree = { part: KeptPart | null; next: Map<string, Map<unknown, KeptTree>> | null };
type Generation = { trees: Map<Component, KeptTree>; characters: number };
type Render = (component: Component, props: Props) => void;

/** Props and HTML of each of the two generations have at most so many characters together, and one part. */
export const KEPT_CHARACTERS_MAX = 4_000_000;
/** Longer props cost more than they save. */
const PROPS_CHARACTERS_MAX = 2_000;

/**
 * What is kept. What is used moves to the young generation. When that is full, it becomes the old one, and what nobody has used
 * since is dropped.
 */
export const generations: { young: Generation; old: Generation } = {
  young: { trees: new Map(), characters: 0 },
  old: { trees: new Map(), characters: 0 },
};

/**
 * Renders a component that client/kept.ts marks as a pure function of its props: once for the same props. Later its HTML is
 * written as it was. While it renders it can read no context of the page, so what is kept depends on its props alone.
 * @returns false where not all props are plain values. Then it is rendered like any other component.
 */
export function renderKept(component: Component, props: Props, render: Render): boolean {
  const part = find(generations.young, component, props) ?? keep(component, props, render);
  if (part === null) return false;
  if (part.startsWithText && output.afterText) write("<!-- -->");
  write(part.html);
  if (part.html !== "") output.afterText = part.endsWithText;
  for (const src of part.pictures) output.pictures.add(src);
  return true;
}

function find({ trees }: Generation, component: Component, props: Props): KeptPart | null {
  let tree = trees.get(component);
  for (const name in props) {
    const value = props[name];
    // To a map, 0 and -0 are the same.
    if (tree === undefined || Object.is(value, -0)) return null;
    tree = tree.next?.get(name)?.get(value);
  }
  return tree?.part ?? null;
}

/** Moves a part from the old generation to the young one, or makes it. @returns null where it cannot be kept. */
function keep(component: Component, props: Props, render: Render): KeptPart | null {
  const characters = charactersOf(props);
  if (characters === null) return null;
  const part = find(generations.old, component, props) ?? renderApart(component, props, render);
  if (generations.young.characters >= KEPT_CHARACTERS_MAX) {
    generations.old = generations.young;
    generations.young = { trees: new Map(), characters: 0 };
  }
  const { young } = generations;
  treeOf(young, component, props).part = part;
  young.characters += characters + part.html.length;
  return part;
}

/** How long the props are as text, about. Null if they are too long, or if not all are plain values. */
function charactersOf(props: Props): number | null {
  let characters = 0;
  for (const name in props) {
    const value = props[name];
    if (typeof value === "string") characters += name.length + value.length;
    else if (isPlain(value)) characters += name.length + 1;
    else return null;
  }
  return characters > PROPS_CHARACTERS_MAX ? null : characters;
}

function isPlain(value: unknown): value is number | boolean | null | undefined {
  if (typeof value === "number") return !Object.is(value, -0);
  return value === null || value === undefined || typeof value === "boolean";
}

function treeOf({ trees }: Generation, component: Component, props: Props): KeptTree {
  let tree = trees.get(component) ?? emptyTree();
  trees.set(component, tree);
  for (const name in props) {
    tree.next ??= new Map();
    const byValue = tree.next.get(name) ?? new Map<unknown, KeptTree>();
    tree.next.set(name, byValue);
    const value = props[name];
    tree = byValue.get(value) ?? emptyTree();
    byValue.set(value, tree);
  }
  return tree;
}

function emptyTree(): KeptTree {
  return { part: null, next: null };
}

/** Renders a component as if it were a page of its own, without the contexts and the position of the page around it. */
function renderApart(component: Component, props: Props, render: Render): KeptPart {
  const { afterText, selected, inSvg, pictures, ownContexts } = output;
  const since = piecesCount();
  Object.assign(output, {
    afterText: false,
    selected: undefined,
    inSvg: false,
    pictures: new Set(),
    ownContexts: new Set(),
  });
  try {
    render(component, props);
    const html = takePieces(since);
    return {
      html,
      startsWithText: html !== "" && !html.startsWith("<"),
      endsWithText: output.afterText,
      pictures: [...output.pictures],
    };
  } finally {
    Object.assign(output, { afterText, selected, inSvg, pictures, ownContexts });
  }
}
