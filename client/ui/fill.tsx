import { createElement, Fragment, type ReactNode } from "react";

/**
 * Puts elements into a sentence, where it names them: `fill("Checked {at}.", { at: <Moment at={at} /> })`. So a translator has
 * the whole sentence, and decides on its order. What people have written goes in as a part too, because it may have braces.
 */
export function fill(sentence: string, parts: Readonly<Record<string, ReactNode>>): ReactNode {
  const pieces = sentence.split(/\{(\w+)\}/);
  return createElement(
    Fragment,
    null,
    ...pieces.map((piece, index) => (index % 2 === 0 ? inElement(piece) : inElement(parts[piece]))),
  );
}

/** Page translators put an element in the place of a text: one of its own keeps React's view of the page right. */
function inElement(part: ReactNode): ReactNode {
  return typeof part === "string" && part !== "" ? createElement("span", null, part) : part;
}
