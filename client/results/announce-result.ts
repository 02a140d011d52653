import type { News } from "./collect-news.ts";

/** How long news are on the screen before they count as seen. */
export const SHOWN_MS = 5_000;
/** A result on the card is large: it is seen sooner. */
export const SEEN_ON_CARD_MS = 3_000;
/** How long the ticker keeps the last result. */
export const KEPT_MS = 15_000;

/** News in one place of the screen, and for how long they were really visible. */
export type Showing = { news: News; shownMs: number };

export type Announcing = {
  row: Showing | null;
  ticker: Showing | null;
  /** The result on the card. It is not announced twice at once. */
  card: Showing | null;
  /** The row belongs to the viewer's own call for so long, before the next news take it. */
  restMs: number;
  /** The last result that was announced, for the ticker. */
  kept: { news: News; leftMs: number } | null;
};

/** What was on the screen since the last glance. */
export type Glance = {
  /** Milliseconds since the last glance. */
  ms: number;
  /** The page is in front: the screen is unlocked, and the tab is the chosen one. */
  visible: boolean;
  /** Where nothing covers the place: no sheet, no dialog. */
  uncovered: { row: boolean; ticker: boolean; card: boolean };
  /** The focus is in the row: it does not change under the fingers. */
  held: boolean;
  /** The key of the news that are the result on the card; null: it shows something else. */
  cardKey: string | null;
  /** How long the row is left to the viewer's own call after each of the news. */
  restMs: number;
};

export const nothingAnnounced: Announcing = { row: null, ticker: null, card: null, restMs: 0, kept: null };

export type Announced = { announcing: Announcing; announced: readonly News[] };

/**
 * What is shown after a glance at the screen. News stay until they were really visible for their time, one after the other; a
 * hidden page, a sheet over them and a locked phone stop their time.
 * @param news all that the viewer has not seen yet, oldest first.
 * @returns also what was seen now, to be remembered.
 */
export function announceNext(before: Announcing, news: readonly News[], glance: Glance): Announced {
  const { cardKey, held } = glance;
  const others = news.filter(({ key }) => key !== cardKey);
  const rest = before.row === null ? Math.max(0, before.restMs - glance.ms) : 0;
  const card = step(before.card, glance, {
    place: "card",
    news: news.filter(({ key }) => key === cardKey),
    enoughMs: SEEN_ON_CARD_MS,
  });
  const row = step(before.row, glance, {
    place: "row",
    news: others.filter(({ place }) => place === "row"),
    enoughMs: held ? Infinity : SHOWN_MS,
    restMs: glance.restMs,
    isResting: rest > 0,
  });
  const ticker = step(before.ticker, glance, {
    place: "ticker",
    news: others.filter(({ place }) => place === "ticker"),
    enoughMs: SHOWN_MS,
  });
  const announced = [card, row, ticker].flatMap(({ seen }) => seen ?? []);
  const announcing: Announcing = {
    card: card.showing,
    row: row.showing,
    ticker: ticker.showing,
    restMs: row.seen === null ? rest : glance.restMs,
    kept: keep(before.kept, announced, glance.ms),
  };
  return { announcing, announced };
}

type Step = {
  place: keyof Glance["uncovered"];
  /** The news for this place. */
  news: readonly News[];
  enoughMs: number;
  /** How long the place is left alone after each of the news. */
  restMs?: number;
  isResting?: boolean;
};

/** One place after a glance: what it shows now, and what was seen there for long enough. */
function step(
  before: Showing | null,
  { ms, visible, uncovered }: Glance,
  { place, news, enoughMs, restMs = 0, isResting = false }: Step,
): { showing: Showing | null; seen: News | null } {
  const same = follow(before, news);
  if (same === null) return { showing: isResting ? null : start(news, visible), seen: null };
  const shownMs = same.shownMs + (visible && uncovered[place] ? ms : 0);
  if (shownMs < enoughMs) return { showing: { ...same, shownMs }, seen: null };
  const waiting = restMs > 0 ? [] : news.filter((each) => each !== same.news);
  return { showing: start(waiting, visible), seen: same.news };
}

/** What the viewer closed counts as seen. */
export function dismiss(before: Announcing, restMs: number): Announced {
  if (before.row === null) return { announcing: before, announced: [] };
  const announced = [before.row.news];
  return { announcing: { ...before, row: null, restMs, kept: keep(before.kept, announced, 0) }, announced };
}

/** The same news as before; those of another version begin again; null if they are no news any more. */
function follow(before: Showing | null, news: readonly News[]): Showing | null {
  const same = before === null ? undefined : news.find(({ key }) => key === before.news.key);
  if (before === null || same === undefined) return null;
  return same.version === before.news.version
    ? { news: same, shownMs: before.shownMs }
    : { news: same, shownMs: 0 };
}

/** The first of the news, on a visible page: what starts while nobody looks is announced to nobody. */
function start([first]: readonly News[], visible: boolean): Showing | null {
  return first === undefined || !visible ? null : { news: first, shownMs: 0 };
}

function keep(before: Announcing["kept"], announced: readonly News[], ms: number): Announcing["kept"] {
  const last = announced.at(-1);
  if (last !== undefined) return { news: last, leftMs: KEPT_MS };
  return before === null || before.leftMs <= ms ? null : { ...before, leftMs: before.leftMs - ms };
}
