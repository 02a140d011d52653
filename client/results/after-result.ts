import { useSyncExternalStore } from "react";

/** What the result bar's code adds to a result on the card, once it has arrived. */
type AfterResult = {
  /** How far a won amount has been counted up, in cents; null while nothing is counted. */
  counted: number | null;
  /** How the result has moved the viewer among the players: "5th → 2nd, passed Zed"; empty if it did not. */
  move: string;
};

const NOTHING: AfterResult = { counted: null, move: "" };
const listeners = new Set<() => void>();
let current = NOTHING;

export function useAfterResult(): AfterResult {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => NOTHING,
  );
}

export function setAfterResult(changes: Partial<AfterResult>): void {
  current = { ...current, ...changes };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
