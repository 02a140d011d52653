import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { serverNow } from "../base/live/clock.ts";
import { useViewer } from "../base/page/context.ts";
import { newestCall } from "../calls/viewer-calls.ts";
import { useView, type View } from "../events/view.ts";
import { useNotifications } from "../notifications/notifications-store.ts";
import { type Announced, announceNext, dismiss, type Glance, nothingAnnounced } from "./announce-result.ts";
import { setAnnounced } from "./announced.ts";
import { collectNews, correctionText, joinMany, type News, resultToShow } from "./collect-news.ts";
import { resultTexts } from "./result-texts.ts";
import { useMemory } from "./use-memory.ts";

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
  useEffect(() => setAnnounced({ line, correction }), [line, correction]);
  useEffect(() => () => setAnnounced(), []);
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
