import type { Page } from "playwright/test";

/** The smallest control, in CSS pixels; under a player's thumb it is larger. */
const CONTROL_PX = 24;
const THUMB_CONTROL_PX = 44;
/** Of a field on a phone: iOS enlarges the page for a smaller one. */
const FIELD_LETTERS_PX = 16;

/**
 * What a person with a small screen, a large text or a large thumb would complain about: text that is cut off, what is beyond the
 * edge or covers something else, controls that are too small, and fields that take the Enter of an input method for their own. One call of the page does it all: it is made thousands of times.
 */
export async function inspectPage(page: Page): Promise<string[]> {
  const looks = [
    findBeyondEdge,
    findCutOff,
    findOverlaps,
    findSmallControls,
    findUnsizedPictures,
    findFaultyFields,
  ].map(String);
  const least = JSON.stringify({ all: CONTROL_PX, thumb: THUMB_CONTROL_PX, letters: FIELD_LETTERS_PX });
  const found = `[${looks.join()}].flatMap((look) => look(${least}))`;
  return page.evaluate<string[]>(`(${String(untilStill)})().then(() => ${found})`);
}

/**
 * Waits until all animations have ended: a card has no height in the middle of its flip. If a card is replaced during its flip, the
 * new card's flip is awaited too. A canceled transition, such as that of a countdown, is not awaited again. What is not drawn, such as
 * an animation in a part that the screen leaves out, never finishes: it is over when its time is.
 */
export async function untilStill(): Promise<void> {
  const looksMax = 50;
  const lateMs = 1_000;
  let isCut = true;
  for (let looks = 0; isCut && looks < looksMax; looks += 1) {
    const moving = document.getAnimations().flatMap((animation) => {
      const endsMs = Number(animation.effect?.getComputedTiming().endTime ?? 0);
      return animation.playState === "running" && Number.isFinite(endsMs) ? [{ animation, endsMs }] : [];
    });
    const overs = moving.map(({ animation, endsMs }) => {
      const timeIsUp = new Promise((resolve) => setTimeout(resolve, endsMs + lateMs));
      return Promise.race([animation.finished, timeIsUp]);
    });
    const ends = await Promise.allSettled(overs);
    isCut = ends.some(
      ({ status }, index) => status === "rejected" && moving[index]?.animation instanceof CSSAnimation,
    );
  }
}

/** What is not on the page or is beyond its edge, unless it can be scrolled to. */
export function findBeyondEdge(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  // Its cause may be hidden: a table does not get narrower than its texts.
  const widest = [...document.querySelectorAll("body *:not(svg *)")].find(
    (element) => Math.round(element.getBoundingClientRect().right) >= scrollWidth,
  );
  const wide =
    scrollWidth > clientWidth
      ? [`The page is ${scrollWidth} px wide by ${widest?.outerHTML.slice(0, 90) ?? "a text"}`]
      : [];
  const scrolls = (element: Element | null): boolean =>
    element !== null && (getComputedStyle(element).overflowX !== "visible" || scrolls(element.parentElement));
  const beyond = [...document.querySelectorAll("body *:not(svg *)")].filter((element) => {
    const { left, right, width, height } = element.getBoundingClientRect();
    const isOutside = right > clientWidth + 0.5 || left < -0.5;
    if (!isOutside || width <= 1 || height <= 1 || element.closest(".skip, .vh") !== null) return false;
    return element.checkVisibility({ visibilityProperty: true }) && !scrolls(element.parentElement);
  });
  return [...wide, ...beyond.map((element) => `beyond the edge: ${element.outerHTML.slice(0, 90)}`)];
}

/** Texts that are wider than their box, or parts of the card that are higher than it. */
function findCutOff(): string[] {
  const isSeen = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest(".vh, .burst, .hero, .skip, .toasts, .amount") === null;
  const texts = [...document.querySelectorAll("button, a, b, dd, dt, output, p, span, h1, h2, label")];
  const wide = texts.filter((element) => {
    const { display, textOverflow, overflowX } = getComputedStyle(element);
    if (display === "inline" || textOverflow === "ellipsis" || overflowX === "auto" || overflowX === "scroll")
      return false;
    return element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1 && isSeen(element);
  });
  // A question, an answer and what a player reads last are there to the end.
  const clamped = [...document.querySelectorAll(".card-q, .side .label span")].filter(
    (element) => element.scrollHeight > element.clientHeight + 2 && isSeen(element),
  );
  // A row that has too little room makes its last lines lower instead.
  const squeezed = [...document.querySelectorAll(".card :is(p, a, b, dt, dd, span, button)")].filter(
    (element) => {
      const { display, lineHeight } = getComputedStyle(element);
      const isText = [...element.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE);
      return (
        isText &&
        display !== "inline" &&
        element.clientHeight < Number.parseFloat(lineHeight) - 1 &&
        isSeen(element)
      );
    },
  );
  const rows = [...document.querySelectorAll(".card .stage, .card .result, .card .pool, .side, .ticker")];
  const high = rows.flatMap((row) => {
    const box = row.getBoundingClientRect();
    return [...row.querySelectorAll("*:not(svg *, .tag, .tag *, .vh, .share-win)")].filter((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      if (getComputedStyle(element).display === "inline" || !isSeen(element)) return false;
      return top < box.top - 2 || bottom > box.bottom + 2;
    });
  });
  return [
    ...wide.map((element) => `wider than its box: ${element.outerHTML.slice(0, 120)}`),
    ...clamped.map((element) => `cut at its end: ${element.outerHTML.slice(0, 120)}`),
    ...squeezed.map((element) => `lower than its line: ${element.outerHTML.slice(0, 120)}`),
    ...high.map((element) => `higher than its row: ${element.outerHTML.slice(0, 120)}`),
  ];
}

/** What covers something else: the rows of the play screen, and the texts and controls in them. */
function findOverlaps(): string[] {
  const isSeen = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest(".vh, [popover], dialog, .rail") === null;
  const found = (selector: string) => [...document.querySelectorAll(selector)].filter(isSeen);
  const rows = found(
    ".play > .topbar, .card-slot, .card-meta, .card-q, .card .stage, .card .result, .card .pool, .card .mine:not(.announced), .session-end, .wager, .sides, .ticker",
  );
  const parts = found(
    ".card dt, .card dd, .card .say, .card .pill, .clock output, .pool .ends > span, .wager button, .topbar a, .topbar button, .sync",
  );
  const covers = (one: Element, other: Element): boolean => {
    if (one.contains(other) || other.contains(one)) return false;
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return width > 1 && height > 1;
  };
  const pairs = [rows, parts].flatMap((list) =>
    list.flatMap((one, index) => list.slice(index + 1).map((other) => [one, other] as const)),
  );
  return pairs
    .filter(([one, other]) => covers(one, other))
    .map(([one, other]) => `${one.outerHTML.slice(0, 60)} covers ${other.outerHTML.slice(0, 60)}`);
}

/** Pictures that take no place until they have arrived. */
function findUnsizedPictures(): string[] {
  return [...document.querySelectorAll("img:not([width][height])")].map(
    (picture) => `without a size: ${picture.outerHTML.slice(0, 120)}`,
  );
}

/** Fields that iOS would enlarge on a phone, and those that send or leave by the Enter that ends a word (Safari marks it by its number). */
function findFaultyFields(least: { letters: number }): string[] {
  const none = ["checkbox", "radio", "range", "file", "submit", "hidden", "color"];
  const fields = [...document.querySelectorAll<HTMLInputElement>("input, select, textarea")].filter(
    (field) => !none.includes(field.type) && field.checkVisibility({ visibilityProperty: true }),
  );
  const isSmall = (field: HTMLElement) =>
    innerWidth < 768 && Number.parseFloat(getComputedStyle(field).fontSize) < least.letters;
  const enter = { key: "Enter", code: "Enter", bubbles: true, cancelable: true };
  const hears = (field: HTMLElement) =>
    [{ isComposing: true }, { keyCode: 229 }].some(
      (mark) => !field.dispatchEvent(new KeyboardEvent("keydown", { ...enter, ...mark })),
    );
  return [
    ...fields.filter(isSmall).map((field) => `a field of small letters: ${field.outerHTML.slice(0, 120)}`),
    ...fields
      .filter(hears)
      .map((field) => `takes the Enter of an input method: ${field.outerHTML.slice(0, 120)}`),
  ];
}

/** Controls that are too small to be hit. What belongs to a control, such as its label, counts as well. */
function findSmallControls(least: { all: number; thumb: number }): string[] {
  const isPhone = innerWidth < 1_024;
  const controls = [
    ...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary"),
  ];
  const open = [...document.querySelectorAll("dialog[open], [popover]:popover-open")].at(-1);
  const isSeen = (control: HTMLElement) =>
    control.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    control.closest(".vh, .skip, [hidden]") === null &&
    open?.contains(control) !== false &&
    control.getBoundingClientRect().width > 0;
  const hits = (control: HTMLElement, x: number, y: number): boolean => {
    const hit = document.elementFromPoint(x, y);
    const label = hit?.closest("label");
    return control.contains(hit) || label?.control === control || label?.contains(control) === true;
  };
  // Lines of a text are as high as they are.
  const isInText = (control: HTMLElement) =>
    getComputedStyle(control).display === "inline" &&
    [...(control.parentElement?.childNodes ?? [])].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== "",
    );
  // Those who run the game edit at a desk: on a phone their tables have what fits.
  const isPlayers = document.querySelector<HTMLElement>("#root")?.dataset["userRoles"] === "[]";
  const isForThumbs = (control: HTMLElement): boolean => {
    const onPlay = control.closest(".play > .topbar, .play > .tabs, .play > main, .bottom-sheet") !== null;
    return isPhone && (onPlay || isPlayers) && !isInText(control);
  };
  const isLarge = ({ width, height }: DOMRect, size: number) => width >= size && height >= size;
  const isSmall = (control: HTMLElement): boolean => {
    const size = (isForThumbs(control) ? least.thumb : least.all) - 0.5;
    // A press on its label is one on the control.
    const label = control instanceof HTMLInputElement ? control.labels?.[0] : undefined;
    if ([control, label ?? control].some((each) => isLarge(each.getBoundingClientRect(), size))) return false;
    control.scrollIntoView({ block: "center", behavior: "instant" });
    const { x: left, y: top, width, height } = control.getBoundingClientRect();
    const [x, y, reach] = [left + width / 2, top + height / 2, size / 2 - 1];
    const isWide = width >= size || (hits(control, x - reach, y) && hits(control, x + reach, y));
    return !isWide || (height < size && !(hits(control, x, y - reach) && hits(control, x, y + reach)));
  };
  const small = controls.filter((control) => isSeen(control) && isSmall(control));
  scrollTo(0, 0);
  return small.map((control) => {
    const { width, height } = control.getBoundingClientRect();
    return `only ${width.toFixed(0)} x ${height.toFixed(0)}: ${control.outerHTML.slice(0, 120)}`;
  });
}
