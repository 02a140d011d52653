import { type Document, type Element, type Node, Window } from "happy-dom";

/** What React writes after the content of a part that is loaded later. */
const PART_END = "/$";

/** The document of a page's HTML, with the parts that were sent later in their places. Its scripts do not run. */
export function parsePage(html: string): Document {
  // happy-dom takes a "<" in a style for the start of a tag, up to the next space.
  const parsable = html.replaceAll("</style>", "\n</style>");
  const page = new new Window().DOMParser().parseFromString(parsable, "text/html");
  for (const mark of all(page, 'template[id^="B:"]')) insertPart(page, mark);
  return page;
}

/** Replaces a loading state, from its mark to its end, by the part that was sent later, as React's script does in a browser. */
function insertPart(page: Document, mark: Element): void {
  const part = page.getElementById(mark.id.replace("B:", "S:"));
  if (part === null) return;
  let loading: Node | null = mark.nextSibling;
  while (loading !== null && loading.textContent !== PART_END) {
    const next: Node | null = loading.nextSibling;
    loading.parentNode?.removeChild(loading);
    loading = next;
  }
  mark.replaceWith(...part.childNodes);
  part.remove();
}

/** The elements that match, in the order of the page. */
export function all(within: Document | Element, selector: string): Element[] {
  return [...within.querySelectorAll(selector)];
}

/** The text of each element that matches, without surrounding space. */
export function textsOf(within: Document | Element, selector: string): string[] {
  return all(within, selector).map((element) => element.textContent.trim());
}

/** The links that match, as "text path". Example: "Users /users". */
export function linksOf(within: Document | Element, selector: string): string[] {
  return all(within, selector).map((link) => `${link.textContent.trim()} ${link.getAttribute("href")}`);
}

/** The names and values of the description lists that match. Example: { Email: "ana@example.test" }. */
export function factsOf(within: Document | Element, selector: string): Record<string, string> {
  const names = textsOf(within, `${selector} dt`);
  const values = textsOf(within, `${selector} dd`);
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
}

/** The only element that matches. */
export function oneOf(within: Document | Element, selector: string): Element {
  const [element, ...others] = all(within, selector);
  if (element === undefined || others.length > 0) {
    throw new Error(`${others.length + (element === undefined ? 0 : 1)} elements match ${selector}`);
  }
  return element;
}
