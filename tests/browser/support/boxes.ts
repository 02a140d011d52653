import { expect, type Page } from "playwright/test";
import type { StageLinkAnswer } from "#src/show/stage/schemas.ts";
import { desk, newPage } from "../players.ts";
import type { Api } from "../show-host.ts";
import { untilStill } from "./inspect-page.ts";
import { openLive } from "./journey.ts";

type Box = Pick<DOMRect, "left" | "top" | "right" | "bottom">;
/** A line of a text, or a picture. */
type Piece = { element: Element; name: string; box: Box };
/** On which a big screen is shown. */
export type StageSize = { width: number; height: number };
export const STAGE_SIZES: readonly StageSize[] = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
];
/** What there is no room for in the column beside the question. */
export const LEFT_OUT = ".beside .podium :is(h2, li, li *), .heard li, .heard li *";
/** The longest question that the product takes. */
export const LONGEST_TITLE = `${"Will it rain before the second half of the derby begins at the stadium by the river? ".repeat(2).slice(0, 139)}?`;
type Asked = { parts: readonly string[]; leftOut: string };

/** The big screen of a session, on which nothing is in motion. */
export async function openWall(host: Api, { slug }: { slug: string }): Promise<Page> {
  const { stageLink } = await host<StageLinkAnswer>("GET", `/api/v1/sessions/${slug}/stage_link`);
  const wall = await newPage({ viewport: desk, reducedMotion: "reduce" });
  await openLive(wall, `/sessions/${slug}/stage?key=${stageLink.key}`);
  return wall;
}

/** Shows a big screen in these sizes, one after the other. */
export async function onSizes(
  wall: Page,
  sizes: readonly StageSize[],
  look: (size: StageSize) => Promise<void>,
): Promise<void> {
  for (const size of sizes) {
    await wall.setViewportSize(size);
    await wall.evaluate(untilStill);
    await look(size);
  }
}

/** Nothing of a big screen is cut, covered or on another text. */
export async function expectWhole(wall: Page, about: string): Promise<void> {
  await onSizes(wall, STAGE_SIZES, async ({ width }) => {
    expect.soft(await hiddenIn(wall, [".big-screen"], LEFT_OUT), `${about}, ${width} px wide`).toEqual([]);
  });
}

/**
 * What cannot be read of the parts of a page that must be read: texts and pictures that are beyond the window, cut off by a part around
 * them, covered by another one, or that lie on another text.
 * @param parts a selector. Each part must be there, and have a text or a picture.
 * @param leftOut selects what may be outside as a whole, because there is no room for it.
 * @returns a line for each text and picture, with what hides it and where it is.
 */
export function hiddenIn(page: Page, parts: readonly string[], leftOut = ""): Promise<string[]> {
  const asked = JSON.stringify({ parts, leftOut });
  const looks = [piecesIn, isWithin, clipsOf, isCovered, isLeftOut, whyHidden, liesOn, findHidden];
  return page.evaluate<string[]>(
    `(() => { ${looks.map(String).join("\n")} return findHidden(${asked}); })()`,
  );
}

function findHidden({ parts, leftOut }: Asked): string[] {
  const at = ({ box }: Piece) => [box.left, box.top, box.right, box.bottom].map(Math.round).join(" ");
  return parts.flatMap((part) => {
    const found = [...document.querySelectorAll(part)].flatMap(piecesIn);
    if (found.length === 0) return [`${part} is not there`];
    const seen = found.filter((piece) => !isLeftOut(piece, leftOut));
    const hidden = seen.flatMap((piece) => {
      const why = whyHidden(piece);
      return why === null ? [] : [`${piece.name} ${why}: ${at(piece)}`];
    });
    return [...hidden, ...liesOn(seen)];
  });
}

/** The lines of all texts in a part that are seen, or the part itself if it is a picture. */
function piecesIn(part: Element): Piece[] {
  /** So far letters reach from the middle of their line, in font sizes. The box of a line may reach into the next one. */
  const letters = 0.4;
  if (part.matches("svg, img"))
    return [{ element: part, name: part.nodeName, box: part.getBoundingClientRect() }];
  if (part.matches(".vh, noscript, script")) return [];
  return [...part.childNodes].flatMap((node) => {
    // Pictures within a part belong to a text.
    if (node instanceof Element) return node.matches("svg, img") ? [] : piecesIn(node);
    if (node.textContent?.trim() === "" || !part.checkVisibility({ visibilityProperty: true })) return [];
    const range = document.createRange();
    range.selectNodeContents(node);
    const half = Number.parseFloat(getComputedStyle(part).fontSize) * letters;
    return [...range.getClientRects()].map(({ left, right, top, bottom }) => {
      const middle = (top + bottom) / 2;
      return {
        element: part,
        name: node.textContent ?? "",
        box: { left, right, top: middle - half, bottom: middle + half },
      };
    });
  });
}

function isWithin(box: Box, around: Box): boolean {
  const slackPx = 1;
  return (
    box.left >= around.left - slackPx &&
    box.top >= around.top - slackPx &&
    box.right <= around.right + slackPx &&
    box.bottom <= around.bottom + slackPx
  );
}

/** The boxes of all that cut an element off. */
function clipsOf(element: Element): Box[] {
  const { parentElement: around } = element;
  if (around === null) return [];
  const clips = ({ overflowX, overflowY }: CSSStyleDeclaration) =>
    overflowX !== "visible" || overflowY !== "visible";
  const own = clips(getComputedStyle(element)) && element.matches(":not(html, body)") ? [element] : [];
  return [...own.map((each) => each.getBoundingClientRect()), ...clipsOf(around)];
}

/** True for what is outside as a whole, if it may be. */
function isLeftOut({ element, box }: Piece, leftOut: string): boolean {
  if (leftOut === "" || element.closest(leftOut) === null) return false;
  return clipsOf(element).some(
    ({ left, top, right, bottom }) =>
      box.left >= right || box.right <= left || box.top >= bottom || box.bottom <= top,
  );
}

function whyHidden({ element, box }: Piece): string | null {
  if (box.right - box.left < 1 || box.bottom - box.top < 1) return "has no size";
  if (!isWithin(box, { left: 0, top: 0, right: innerWidth, bottom: innerHeight }))
    return "is beyond the window";
  if (clipsOf(element).some((clip) => !isWithin(box, clip))) return "is cut off";
  return isCovered(element, box) ? "is covered" : null;
}

function isCovered(element: Element, box: Box): boolean {
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  return [x - 1, box.left + 2, box.right - 2].some((left) => {
    const hit = document.elementFromPoint(left, y);
    return hit === null || !(element.contains(hit) || hit.contains(element));
  });
}

/** The texts of different elements that lie on each other. */
function liesOn(pieces: readonly Piece[]): string[] {
  const leastPx = 2;
  return pieces.flatMap((one, index) =>
    pieces.slice(index + 1).flatMap((other) => {
      if (one.element === other.element) return [];
      const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      return width > leastPx && height > leastPx ? [`${one.name} lies on ${other.name}`] : [];
    }),
  );
}
