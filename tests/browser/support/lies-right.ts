import type { Page } from "playwright/test";
import { untilStill } from "./inspect-page.ts";

/**
 * Where a text from right to left does not lie right on the page: its sign at the end is not at its left, a text of its own is not at the
 * right edge, or a sentence of ours goes around it in its direction. Texts are in Arabic and end with "!".
 */
export async function findMislaid(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(${String(untilStill)})().then(${String(lookForMislaid)})`);
}

function lookForMislaid(): string[] {
  const foreign = /[\u0600-\u06ff]/;
  const phrase = /[\u0600-\u06ff][\u0600-\u06ff ]*!/g;
  const isolates = /\u2068[^\u2068\u2069]*\u2069/g;
  const isSeen = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest("script, style, noscript, template, title, .vh") === null;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  const boxOf = (node: Node, at: number) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect();
  };
  const edgeOf = (element: Element) => {
    const { display, textAlign, paddingRight, borderRightWidth } = getComputedStyle(element);
    const inset = Number.parseFloat(paddingRight) + Number.parseFloat(borderRightWidth);
    return display === "block" && textAlign === "start"
      ? element.getBoundingClientRect().right - inset
      : -Infinity;
  };
  const look = (node: Node, parent: Element, text: string) => {
    const say = (what: string) => found.push(`${what}: ${parent.outerHTML.slice(0, 160)}`);
    const beside = [...parent.childNodes].flatMap(({ nodeType, textContent }) =>
      nodeType === Node.TEXT_NODE ? [textContent] : [],
    );
    const ours = beside.join("").replaceAll(isolates, "");
    if (foreign.test(ours) && /[A-Za-z]/.test(ours)) say("not apart from our words");
    for (const { 0: words, index } of text.matchAll(phrase)) {
      const [first, last] = [boxOf(node, index), boxOf(node, index + words.length - 1)];
      const isOneLine = first.width > 0 && last.width > 0 && Math.abs(first.bottom - last.bottom) <= 2;
      if (isOneLine && last.left >= first.left) say("its end is not at the left");
      const isAlone = text.trim() === words && parent.childNodes.length === 1;
      if (isOneLine && isAlone && edgeOf(parent) - first.right > 3) say("not at the right edge");
    }
  };
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const [text, parent] = [node.textContent ?? "", node.parentElement];
    if (parent !== null && foreign.test(text) && isSeen(parent)) look(node, parent, text);
  }
  const fields = [...document.querySelectorAll<HTMLInputElement>("input, textarea")].filter(({ value }) =>
    foreign.test(value),
  );
  for (const field of fields.filter((each) => getComputedStyle(each).unicodeBidi !== "plaintext"))
    found.push(`a field that has no direction of its own: ${field.outerHTML.slice(0, 160)}`);
  return found;
}
