import { isAnswered } from "../api/is-answered.ts";
import { isDismissed, isSilent, readSync, updateConnection } from "./connection.ts";

/** What is missed within this time is looked for together: both streams of a page report a gap within a few milliseconds. */
const TOGETHER_MS = 50;
/** What all pages of a server miss at the same moment, each looks for at some time within this one. */
const SPREAD_MS = 2_000;
/** After a close: most pages are connected again by then. A silent connection has had as long already. */
const ASK_FIRST_MS = 5_000;
const ASK_EVERY_MS = 4_000;

/** What the cable reports to a listener: it may have missed messages, or it is connected again. */
type News = "missed" | "connected";
type Listeners = ReadonlySet<Partial<Record<News, () => void>>>;

const looks = new Map<Listeners, Set<News>>();
let waiting: { timer: ReturnType<typeof setTimeout>; spread: boolean } | null = null;

/** Lets the listeners load what was missed, all of the moment together. @param options spread: each page at another time. */
export function refetchMissed(listeners: Listeners, news: News, { spread }: { spread: boolean }): void {
  looks.set(listeners, (looks.get(listeners) ?? new Set()).add(news));
  if (waiting !== null && (spread || !waiting.spread)) return;
  clearTimeout(waiting?.timer);
  const afterMs = TOGETHER_MS + (spread ? Math.random() * SPREAD_MS : 0);
  waiting = { spread, timer: setTimeout(lookNow, afterMs) };
}

/** True while these listeners wait to load what they have missed. */
export function isToLookAgain(listeners: Listeners): boolean {
  return looks.get(listeners)?.has("missed") === true;
}

function lookNow(): void {
  waiting = null;
  const all = [...looks];
  looks.clear();
  for (const [listeners, missed] of all)
    for (const news of missed) for (const listener of listeners) listener[news]?.();
  // Callers that wait for the looks see that they are over.
  updateConnection({});
}

/**
 * Lets a page that gets no messages ask by HTTP until it gets them: a network may carry requests and no messages. Nothing is asked of
 * a server that does not answer, because a screen could show the error in place of what it has, and nothing in the background.
 * @param ask loads what the page shows.
 * @returns what has to be called whenever the connection has changed.
 */
export function createAsking(ask: () => void): () => void {
  const page = document;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const askLater = (afterMs: number) => {
    timer = setTimeout(() => void askNow(), afterMs + Math.random() * SPREAD_MS);
  };
  const askNow = async () => {
    const asked = timer;
    const isOfUse = page.visibilityState === "visible" && (await isAnswered());
    // The connection has changed meanwhile.
    if (asked !== timer) return;
    if (isOfUse) ask();
    askLater(ASK_EVERY_MS);
  };
  return () => {
    const sync = readSync();
    if ((sync === "offline" || sync === "catching-up") && !isDismissed()) {
      if (timer === null) askLater(isSilent() ? 0 : ASK_FIRST_MS);
    } else if (timer !== null) {
      clearTimeout(timer);
      timer = null;
    }
  };
}
