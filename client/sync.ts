import { useSyncExternalStore } from "react";

/** How the page stands with the server: live, over a slow link, or cut off. */
export type Sync = "live" | "poor" | "offline";

type Link = {
  /** Messages arrive; only the cable knows. */
  connected: boolean;
  /** This computer has a network at all; only the browser knows. */
  network: boolean;
  /** Round trips take long; only the clock knows. */
  slow: boolean;
};

const listeners = new Set<() => void>();
let link: Link = { connected: true, network: true, slow: false };

/** Says what one of those who know has found out. */
export function markLink(found: Partial<Link>): void {
  link = { ...link, ...found };
  for (const listener of listeners) listener();
}

export function useSync(): Sync {
  return useSyncExternalStore(subscribe, readSync, () => "live");
}

/** As it stands now. */
export function readSync(): Sync {
  if (!link.connected || !link.network) return "offline";
  return link.slow ? "poor" : "live";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
