import type { Context, Props } from "./react-internals.ts";

/**
 * The page being rendered. There is one: rendering never waits, so two pages cannot mix, and plain fields are the fastest state
 * there is.
 */
type Output = {
  /** The last thing written was text: more text needs a separator, from which the browser tells the two nodes apart. */
  afterText: boolean;
  /** The position in the tree, from which React makes the ids of useId. See tree-position.ts. */
  treeId: number;
  treeOverflow: string;
  /** How many ids the component being rendered has taken. */
  localIds: number;
  /** The value of the <select> around; undefined in a kept part, which must not depend on it. */
  selected: unknown;
  /** Inside of an <svg>, where a <title> is an ordinary element. */
  inSvg: boolean;
  /** Pictures that the browser should load first, in order of appearance. */
  pictures: Set<string>;
  /** The contexts that a kept part has provided itself; null outside of kept parts. */
  ownContexts: Set<Context> | null;
  /** Why this page is left to React. Kept here as well, because a component may catch what is thrown. */
  leftToReact: string | null;
};

export const output: Output = emptyOutput();

export function resetOutput(): void {
  count = 0;
  Object.assign(output, emptyOutput());
}

function emptyOutput(): Output {
  return {
    afterText: false,
    treeId: 1,
    treeOverflow: "",
    localIds: 0,
    selected: null,
    inSvg: false,
    pictures: new Set(),
    ownContexts: null,
    leftToReact: null,
  };
}

/**
 * What was written, in pieces. One array for all pages: text that grows by concatenation would be a tree with a node for each piece,
 * nearly half of what rendering allocates.
 */
const pieces: string[] = [];
let count = 0;

/** Writes HTML: its text is escaped already. */
export function write(html: string): void {
  pieces[count] = html;
  count += 1;
}

/** How many pieces were written so far. */
export function piecesCount(): number {
  return count;
}

/** Takes back what was written since there were so many pieces, as one text. */
export function takePieces(since: number): string {
  const html = pieces.slice(since, count).join("");
  count = since;
  return html;
}

/** Thrown where this renderer does not know what React would do. */
export class LeftToReact extends Error {
  override readonly name = "LeftToReact";
}

/** Ends rendering: React renders this page. */
export function leaveToReact(reason: string): never {
  output.leftToReact ??= reason;
  throw new LeftToReact(reason);
}

/** Writes text. A string that is the only child of an element needs no separators and is not written by this. */
export function writeText(text: string): void {
  if (text === "") return;
  if (output.afterText) write("<!-- -->");
  write(escapeHtml(text));
  output.afterText = true;
}

const special = /["&'<>]/;
const entities: Readonly<Record<string, string>> = {
  '"': "&quot;",
  "&": "&amp;",
  "'": "&#x27;",
  "<": "&lt;",
  ">": "&gt;",
};

/** Escapes text as React does. */
export function escapeHtml(text: string): string {
  if (!special.test(text)) return text;
  return text.replaceAll(/["&'<>]/g, (letter) => entities[letter] ?? letter);
}

/** True for a key that is the object's own; React skips inherited ones. */
export function isOwn(props: Props, name: string): boolean {
  return Object.prototype.hasOwnProperty.call(props, name);
}
