import { useSyncExternalStore } from "react";

/** The page's connection to the server: live, slow or lost. */
export type Sync = "live" | "poor" | "offline";

type Connection = {
  /** The websocket is open; set by the cable. */
  connected: boolean;
  /** This computer has a network; set by the browser's events. */
  network: boolean;
  /** Round trips take long; set by the clock. */
  slow: boolean;
};

const listeners = new Set<() => void>();
let connection: Connection = { connected: true, network: true, slow: false };

/** Updates what is known about the connection. */
export function updateConnection(changes: Partial<Connection>): void {
  connection = { ...connection, ...changes };
  for (const listener of listeners) listener();
}

export function useSync(): Sync {
  return useSyncExternalStore(subscribe, readSync, () => "live");
}

/** The current state, outside React. */
export function readSync(): Sync {
  if (!connection.connected || !connection.network) return "offline";
  return connection.slow ? "poor" : "live";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
