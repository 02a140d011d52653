/** The clock and the timer that a line uses. */
export type LineTimes = {
  delayMs: number;
  /** The server's time now, in milliseconds. */
  nowMs: () => number;
  /** Calls `act` after so many milliseconds. @returns cancels it. */
  after: (ms: number, act: () => void) => () => void;
};

export type DelayLine = {
  /**
   * Does `act` when what happened at `atMs` is to be shown. Entries of one lane keep their order, and no entry comes earlier than
   * its time.
   */
  push: (lane: string, atMs: number, act: () => void) => void;
  /** How many entries wait. */
  readonly waiting: number;
};

type Entry = { dueMs: number; act: () => void };

/**
 * Lets everything through so many milliseconds after it happened. A timer that is late (the page was in the background) loses
 * nothing: all that is due then comes in its order.
 */
export function createDelayLine({ delayMs, nowMs, after }: LineTimes): DelayLine {
  const entries: Entry[] = [];
  const lastDueMs = new Map<string, number>();
  let cancel: (() => void) | null = null;

  const release = () => {
    cancel = null;
    for (let first = entries[0]; first !== undefined && first.dueMs <= nowMs(); first = entries[0]) {
      entries.shift();
      runSafely(first.act);
    }
    wait();
  };
  const wait = () => {
    cancel?.();
    const [first] = entries;
    cancel = first === undefined ? null : after(Math.max(0, first.dueMs - nowMs()), release);
  };

  return {
    push: (lane, atMs, act) => {
      const dueMs = Math.max(atMs + delayMs, lastDueMs.get(lane) ?? 0);
      lastDueMs.set(lane, dueMs);
      const later = entries.findIndex((entry) => entry.dueMs > dueMs);
      entries.splice(later < 0 ? entries.length : later, 0, { dueMs, act });
      if (entries[0]?.act === act) wait();
    },
    get waiting() {
      return entries.length;
    },
  };
}

/** A bug in what one entry leads to must not keep the others back. It is reported like any uncaught error. */
function runSafely(act: () => void): void {
  try {
    act();
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
  }
}
