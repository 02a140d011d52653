import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useRouteLoaderData } from "react-router";
import type { EventView } from "#src/show/events/schemas.ts";
import { serverNow } from "../base/live/clock.ts";
import { useViewer } from "../base/page/context.ts";
import type { FrameData } from "../base/page/load-frame.ts";
import { newestCall } from "../calls/viewer-calls.ts";
import { useView, type View } from "../events/view.ts";
import { useNotifications } from "../notifications/notifications-store.ts";
import { setAfterResult } from "./after-result.ts";
import { collectNews, correctionText, joinMany, type News, resultToShow } from "./collect-news.ts";
import { followMemory, type Memory, newestOf, recall, store } from "./memory.ts";
import { resultTexts } from "./result-texts.ts";

/** How often it looks at the screen while there is something to announce. */
const GLANCE_MS = 250;
/** A page that slept was not looked at meanwhile. */
const GLANCE_MAX_MS = 1_000;
/** The viewer's own call, with Cancel, is in the row for so long between two results. */
const REST_MS = 3_000;

/** What the row shows now, and how to close it; and what the ticker announces now. */
export type Row = { news: News | null; inTicker: News | null; close: () => void };

type Shown = {
  row: News | null;
  ticker: News | null;
  /** For the ticker, which keeps the last result for a while. */
  line: string | null;
  /** Its time is not over yet. */
  isBusy: boolean;
};

/** How long news are on the screen before they count as seen. */
export const SHOWN_MS = 5_000;
/** A result on the card is large: it is seen sooner. */
export const SEEN_ON_CARD_MS = 3_000;
/** How long the ticker keeps the last result. */
export const KEPT_MS = 15_000;

export const nothingAnnounced: Announcing = { row: null, ticker: null, card: null, restMs: 0, kept: null };

const nothing: Memory = { results: new Map(), notificationId: 0 };

/** Decides what the row and the ticker announce, and remembers what was really on the screen. */
export function useAnnouncing(row: RefObject<HTMLElement | null>): Row {
  const view = useView();
  const { news, correction, remember } = useNews(view);
  const [shown, setShown] = useState<Shown>({ row: null, ticker: null, line: null, isBusy: false });
  const announcing = useRef(nothingAnnounced);
  const latest = useRef({ view, news, line: shown.line });
  useEffect(() => {
    latest.current = { view, news, line: shown.line };
  });
  const [steps] = useState(() => {
    const apply = (next: Announced) => {
      announcing.current = next.announcing;
      const shows = shownOf(next.announcing, hasOwnLine(latest.current.view));
      setShown((known) => (isSame(known, shows) ? known : shows));
      if (next.announced.length === 0) return;
      // The next glance may come before the next render.
      const announced = new Set(next.announced);
      latest.current.news = latest.current.news.filter((each) => !announced.has(each));
      remember(next.announced);
    };
    let lastMs = performance.now();
    return {
      look: () => {
        const nowMs = performance.now();
        const ms = Math.min(nowMs - lastMs, GLANCE_MAX_MS);
        lastMs = nowMs;
        apply(
          announceNext(announcing.current, latest.current.news, glanceAt(latest.current, row.current, ms)),
        );
      },
      close: () => apply(dismiss(announcing.current, restMsFor(latest.current.view))),
    };
  });
  const isBusy = news.length > 0 || shown.isBusy;
  useEffect(() => (isBusy ? keepLooking(steps.look) : undefined), [isBusy, news, steps]);
  const { line } = shown;
  useEffect(() => setAfterResult({ line, correction }), [line, correction]);
  useEffect(() => () => setAfterResult({ line: null, correction: null }), []);
  return { news: shown.row, inTicker: shown.ticker, close: steps.close };
}

function shownOf({ row, ticker, kept }: Announced["announcing"], isLineTaken: boolean): Shown {
  const newsIn = (place: { news: News } | null) => place?.news ?? null;
  const inLine = newsIn(ticker ?? (isLineTaken ? null : kept));
  return {
    row: newsIn(row),
    ticker: newsIn(ticker),
    line: inLine === null ? null : resultTexts.line(inLine.lead, inLine.about),
    isBusy: row !== null || ticker !== null || kept !== null,
  };
}

function isSame(one: Shown, other: Shown): boolean {
  return (
    one.row === other.row &&
    one.ticker === other.ticker &&
    one.line === other.line &&
    one.isBusy === other.isBusy
  );
}

/** The ticker has something of its own to say: about the result on the card, the close, or the pause. */
function hasOwnLine(view: View): boolean {
  return cardKeyOf(view) !== null || view.phase === "closed" || view.phase === "paused";
}

/** What this device has not shown yet; and what a correction has changed in the result on the card. */
function useNews(view: View) {
  const { state, event, phase } = view;
  const { memory, remember } = useMemory();
  const { notifications } = useNotifications();
  const path = `/sessions/${state.session.slug}`;
  const history = useViewer()?.guest === true ? null : `${path}/history`;
  const cardKey = cardKeyOf(view);
  const { events, ownCalls, asOf } = state;
  const news = useMemo(() => {
    const nowMs = Date.parse(asOf);
    const all = collectNews({ events, ownCalls, notifications, memory, path, nowMs });
    const isForRow = (each: News) => each.place === "row" && each.key !== cardKey;
    return [...joinMany(all.filter(isForRow), history), ...all.filter((each) => !isForRow(each))];
  }, [events, ownCalls, asOf, notifications, memory, path, history, cardKey]);
  const result = event === null || phase !== "resolved" ? null : resultToShow(event, memory);
  const correction = event === null || result === null ? null : correctionText(event, result);
  return { news, correction, remember };
}

function cardKeyOf({ event, phase }: View): string | null {
  const isTold = phase === "resolved" || phase === "withdrawn";
  return isTold && event !== null ? `event ${event.id}` : null;
}

function glanceAt(
  { view, line }: { view: View; line: string | null },
  row: HTMLElement | null,
  ms: number,
): Glance {
  const ticker = document.querySelector(".ticker");
  // A refusal or a lost connection comes first there.
  const hasLine = line !== null && ticker !== null && ticker.textContent.includes(line);
  return {
    ms,
    visible: document.visibilityState === "visible",
    uncovered: {
      row: isUncovered(row),
      ticker: hasLine && isUncovered(ticker),
      card: isUncovered(document.querySelector(".card :is(.result, .stage)")),
    },
    held: row?.contains(document.activeElement) ?? false,
    cardKey: cardKeyOf(view),
    restMs: restMsFor(view),
  };
}

function restMsFor({ event, state }: View): number {
  const newest = event === null ? null : newestCall(event, state.session.pausedAt, serverNow());
  // It can be taken back.
  return newest?.why === null ? REST_MS : 0;
}

/** Looks now, whenever the page comes to the front, and again and again. @returns stops looking. */
function keepLooking(look: () => void): () => void {
  look();
  const timer = setInterval(look, GLANCE_MS);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  };
}

/** True if the middle of an element can be seen: it is in the window, and no sheet, dialog or toast is over it. */
function isUncovered(element: Element | null): boolean {
  if (element === null) return false;
  const { left, top, width, height } = element.getBoundingClientRect();
  const onTop = document.elementFromPoint(left + width / 2, top + height / 2);
  return onTop !== null && element.contains(onTop);
}

/** News in one place of the screen, and for how long they were really visible. */
type Showing = { news: News; shownMs: number };

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

type Announced = { announcing: Announcing; announced: readonly News[] };

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

/** What this device has shown of the session, and how to add to it. On its first visit all that the page came with counts as shown. */
function useMemory(): { memory: Memory; remember: (news: readonly News[]) => void } {
  const { data, state } = useView();
  const viewerId = useViewer()?.id ?? 0;
  const sessionId = state.session.id;
  const loaded = useRouteLoaderData<FrameData>("app")?.notifications?.notifications ?? [];
  const [memory, setMemory] = useState(
    () => recall({ viewerId, sessionId }) ?? firstMemory(data.events, newestOf(loaded)),
  );
  useEffect(() => {
    // A reload is no first visit.
    const of = { viewerId, sessionId };
    if (recall(of) === null) store(of, memory);
  }, [viewerId, sessionId, memory]);
  useEffect(
    () =>
      followMemory(() => {
        const stored = recall({ viewerId, sessionId });
        if (stored !== null) setMemory(stored);
      }),
    [viewerId, sessionId],
  );
  const remember = useCallback(
    (news: readonly News[]) =>
      setMemory((known) => {
        const next = withShown(known, news);
        store({ viewerId, sessionId }, next);
        return next;
      }),
    [viewerId, sessionId],
  );
  return { memory, remember };
}

/** The memory of a device on its first visit: all results that its page came with count as shown. */
export function firstMemory(events: readonly EventView[], notificationId: number): Memory {
  const results = events.flatMap((event) => {
    const shown = resultToShow(event, nothing);
    return shown === null ? [] : [[event.id, shown] as const];
  });
  return { results: new Map(results), notificationId };
}

export function withShown(memory: Memory, news: readonly News[]): Memory {
  const results = new Map(memory.results);
  let { notificationId } = memory;
  for (const covered of news.flatMap(({ covers }) => covers)) {
    if (covered.kind === "notification") notificationId = Math.max(notificationId, covered.id);
    else {
      results.delete(covered.eventId);
      results.set(covered.eventId, covered.shown);
    }
  }
  return { results, notificationId };
}
