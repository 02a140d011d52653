/**
 * Action Cable backs off slowly by design. A page that people look at reconnects sooner, but never before the 500 ms that
 * Action Cable itself waits after it has closed a silent connection.
 */
const FIRST_MS = 500;
const SPREAD_MS = 1_000;
const GROWTH = 1.5;
/** With the spread, a page is back within 5 s after its server is. */
const MAX_MS = 4_000;

/** Opens the next socket after some time, which grows with each attempt. One timer serves all subscriptions. */
export function createReconnectTimer(connect: () => void) {
  let attempts = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  return {
    start: (): void => {
      stop();
      const waitMs = Math.min(MAX_MS, FIRST_MS * GROWTH ** attempts) + Math.random() * SPREAD_MS;
      attempts += 1;
      timer = setTimeout(connect, waitMs);
    },
    stop,
    /** The next attempt is a first one again. */
    reset: (): void => {
      attempts = 0;
    },
  };
}
