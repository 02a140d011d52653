import { pause } from "#client/base/browser/pause.ts";
import { onConnectionChange, readSync } from "./connection.ts";

// Decision: code that a page can do without for a while is fetched one file after another, and none is asked for while a call is on its
// way or the page is offline. A browser has six connections to a server over HTTP/1.1, an import cannot be aborted, and where a network
// swallows what it carries each import holds a connection for minutes. So a call always has one.

/** So long the next one waits for the one before. */
const GIVES_WAY_AFTER_MS = 10_000;

let turn: Promise<unknown> = Promise.resolve();
let acts = 0;
let waiting: (() => void)[] = [];

/** Fetches code in its turn. What a user has asked for is fetched without it. */
export function fetchLate<Part>(load: () => Promise<Part>): Promise<Part> {
  const begun = turn.then(untilCalm);
  const part = begun.then(load);
  const settled = part.then(
    () => undefined,
    () => undefined,
  );
  turn = Promise.race([settled, begun.then(() => pause(GIVES_WAY_AFTER_MS))]);
  return part;
}

/** Fetches code in its turn and uses it. Without an answer the page works without, and the next one tries again. */
export function withLate<Part>(load: () => Promise<Part>, use: (part: Part) => void): void {
  fetchLate(load).then(use, () => undefined);
}

/** No late code is asked for while this work runs. */
export async function beforeLateCode(work: () => Promise<void>): Promise<void> {
  acts += 1;
  try {
    await work();
  } finally {
    acts -= 1;
    goOn();
  }
}

async function untilCalm(): Promise<void> {
  while (acts > 0 || readSync() === "offline") {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      const stop = onConnectionChange(() => {
        stop();
        resolve();
      });
    });
  }
}

function goOn(): void {
  const all = waiting;
  waiting = [];
  for (const resolve of all) resolve();
}
