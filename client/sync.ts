import { useSyncExternalStore } from "react";

/** How the page stands with the server: live, over a slow link, or cut off. */
export type Sync = "live" | "poor" | "offline";

const listeners = new Set<() => void>();
let connected = true;
let slow = false;

/** Says whether messages arrive; only the cable knows. */
export function markConnected(state: { connected: boolean }): void {
  ({ connected } = state);
  tell();
}

/** Says whether round trips take long; only the clock knows. */
export function markLink(state: { slow: boolean }): void {
  ({ slow } = state);
  tell();
}

export function useSync(): Sync {
  return useSyncExternalStore(subscribe, readSync, () => "live");
}

function readSync(): Sync {
  if (!connected) return "offline";
  return slow ? "poor" : "live";
}

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
