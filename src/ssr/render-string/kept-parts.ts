import { output } from "./output.ts";
import type { Component, Props } from "./react-internals.ts";

/** What a part has written, and what follows from it for the text around it and for the start of the page. */
type KeptPart = { html: string; startsWithText: boolean; endsWithText: boolean; pictures: readonly string[] };
type Generation = { parts: Map<Component, Map<string, KeptPart>>; characters: number };
type Render = (component: Component, props: Props) => void;

/** Keys and HTML of each of the two generations have at most so many characters together, and one part. */
export const KEPT_CHARACTERS_MAX = 4_000_000;
/** A longer key costs more than it saves. */
const KEY_MAX = 2_000;

/**
 * What is kept. What is used moves to the young generation. When that is full, it becomes the old one, and what nobody has used
 * since is dropped.
 */
export const generations: { young: Generation; old: Generation } = {
  young: { parts: new Map(), characters: 0 },
  old: { parts: new Map(), characters: 0 },
};

/**
 * Renders a component that client/kept.ts marks as a pure function of its props: once for the same props. Later its HTML is
 * written as it was. While it renders it can read no context of the page, so what is kept depends on its key alone.
 * @returns false where not all props are plain values. Then it is rendered like any other component.
 */
export function renderKept(component: Component, props: Props, render: Render): boolean {
  const key = keyOf(props);
  if (key === null) return false;
  const part =
    generations.young.parts.get(component)?.get(key) ??
    keep(component, key, () => renderApart(component, props, render));
  if (part.startsWithText && output.afterText) output.html += "<!-- -->";
  output.html += part.html;
  if (part.html !== "") output.afterText = part.endsWithText;
  for (const src of part.pictures) output.pictures.add(src);
  return true;
}

/** Moves a part from the old generation to the young one, or makes it. */
function keep(component: Component, key: string, make: () => KeptPart): KeptPart {
  const part = generations.old.parts.get(component)?.get(key) ?? make();
  if (generations.young.characters >= KEPT_CHARACTERS_MAX) {
    generations.old = generations.young;
    generations.young = { parts: new Map(), characters: 0 };
  }
  const { young } = generations;
  const known = young.parts.get(component);
  if (known === undefined) young.parts.set(component, new Map([[key, part]]));
  else known.set(key, part);
  young.characters += key.length + part.html.length;
  return part;
}

/** The props as text. Texts carry their length, so that no text can be mistaken for two props. */
function keyOf(props: Props): string | null {
  let key = "";
  for (const name in props) {
    const value = props[name];
    if (typeof value === "string") key += `${name}"${value.length}:${value}`;
    else if (isPlain(value)) key += `${name}=${value};`;
    else return null;
  }
  return key.length > KEY_MAX ? null : key;
}

function isPlain(value: unknown): value is number | boolean | null | undefined {
  if (typeof value === "number") return !Object.is(value, -0);
  return value === null || value === undefined || typeof value === "boolean";
}

/** Renders a component as if it were a page of its own, without the contexts and the position of the page around it. */
function renderApart(component: Component, props: Props, render: Render): KeptPart {
  const { html, afterText, selected, inSvg, pictures, ownContexts } = output;
  Object.assign(output, {
    html: "",
    afterText: false,
    selected: undefined,
    inSvg: false,
    pictures: new Set(),
    ownContexts: new Set(),
  });
  try {
    render(component, props);
    return {
      html: output.html,
      startsWithText: output.html !== "" && !output.html.startsWith("<"),
      endsWithText: output.afterText,
      pictures: [...output.pictures],
    };
  } finally {
    Object.assign(output, { html, afterText, selected, inSvg, pictures, ownContexts });
  }
}
