import { isAnswered } from "../api/is-answered.ts";
import { isDismissed, isSilent, readSync } from "./connection.ts";

/** After a close: most pages are connected again by then. A silent connection has had as long already. */
const FIRST_MS = 5_000;
const EVERY_MS = 4_000;
/** All pages of a server lose it at the same moment. */
const SPREAD_MS = 2_000;

/**
 * Lets a page that gets no messages ask by HTTP until it gets them: a network may carry requests and no messages. Nothing is asked of
 * a server that does not answer, because a screen could show the error in place of what it has.
 * @param page in the background it asks nothing.
 * @param ask loads what the page shows.
 * @returns what has to be called whenever the connection has changed.
 */
export function createAsking(page: Document, ask: () => void): () => void {
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
    askLater(EVERY_MS);
  };
  return () => {
    const sync = readSync();
    if ((sync === "offline" || sync === "catching-up") && !isDismissed()) {
      if (timer === null) askLater(isSilent() ? 0 : FIRST_MS);
    } else if (timer !== null) {
      clearTimeout(timer);
      timer = null;
    }
  };
}
