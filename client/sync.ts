import { useSyncExternalStore } from "react";

/** How the page stands with the server: live, over a slow link, or cut off. */
export type Sync = "live" | "poor" | "offline";

const listeners = new Set<() => void>();
let sync: Sync = "live";

/** Says how the connection is; only the cable and the clock know. */
export function setSync(next: Sync): void {
  if (next === sync) return;
  sync = next;
  for (const listener of listeners) listener();
}

export function useSync(): Sync {
  return useSyncExternalStore(
    subscribe,
    () => sync,
    () => "live",
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
