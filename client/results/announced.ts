import { useSyncExternalStore } from "react";

/** What the result bar's code adds to the card and the ticker, once it has arrived. */
export type Announced = {
  /** The last result, for the ticker. */
  line: string | null;
  /** What a correction has changed, for the result on the card. */
  correction: string | null;
};

const NOTHING: Announced = { line: null, correction: null };
const listeners = new Set<() => void>();
let current = NOTHING;

export function useAnnounced(): Announced {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => NOTHING,
  );
}

/** Without an argument there is nothing any more: the screen is left. */
export function setAnnounced(announced: Announced = NOTHING): void {
  if (announced.line === current.line && announced.correction === current.correction) return;
  current = announced;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
