import type { SharedList } from "#client/hydration/shared-lists.ts";
import { extendPageStart, type PageStart } from "./compress-page.ts";
import { jsonForScript } from "./script-json.ts";

type Extended = { lists: readonly SharedList[]; about: string; start: PageStart };

/** A start is kept with so many combinations of lists that have the same first one. */
const COMBINATIONS_MAX = 4;
const extended = new WeakMap<PageStart, WeakMap<SharedList, Extended[]>>();

/**
 * The start of a page with what it shares with other pages: written and compressed once.
 * @param lists of the page's data. The browser's code reads them from the element `shared`. Data runs nothing, so it needs no nonce.
 * @param about the title and the tags that describe the page.
 * @returns null without lists.
 */
export function withShared(start: PageStart, lists: readonly SharedList[], about: string): PageStart | null {
  const [first] = lists;
  if (first === undefined) return null;
  const ofStart = extended.get(start) ?? new WeakMap<SharedList, Extended[]>();
  extended.set(start, ofStart);
  const combinations = ofStart.get(first) ?? [];
  const known = combinations.find((each) => each.about === about && isSame(each.lists, lists));
  if (known !== undefined) return known.start;
  const script = `<script type="application/json" id="shared">${jsonForScript(lists)}</script>\n`;
  const made = { lists, about, start: extendPageStart(start, `${about}${script}`) };
  ofStart.set(first, [made, ...combinations].slice(0, COMBINATIONS_MAX));
  return made.start;
}

function isSame(lists: readonly SharedList[], others: readonly SharedList[]): boolean {
  return lists.length === others.length && lists.every((list, index) => list === others[index]);
}
