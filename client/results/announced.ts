import { useSyncExternalStore } from "react";

/** What the strip's code adds to the card and the ticker, once it has arrived. */
export type Told = {
  /** The last result, for the ticker. */
  line: string | null;
  /** What a correction has changed, for the result on the card. */
  correction: string | null;
};

const NOTHING: Told = { line: null, correction: null };
const listeners = new Set<() => void>();
let current = NOTHING;

export function useAnnounced(): Told {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => NOTHING,
  );
}

/** Without an argument there is nothing any more: the screen is left. */
export function setAnnounced(told: Told = NOTHING): void {
  if (told.line === current.line && told.correction === current.correction) return;
  current = told;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
