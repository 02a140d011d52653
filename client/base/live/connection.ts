import { useSyncExternalStore } from "react";

/**
 * The page's connection to the server: live, slow or lost. `refused`: the server does not let the page follow it, and only a
 * reload can change that.
 */
export type Sync = "live" | "poor" | "offline" | "refused";

type Connection = {
  /** The websocket is open; set by the cable. */
  connected: boolean;
  /** The socket brings nothing, not even the server's pings; set by the cable. */
  silent: boolean;
  /** This computer has a network; set by the browser's events. */
  network: boolean;
  /** Round trips take long; set by the clock. */
  slow: boolean;
  /** The server told this page to stay away: it stays as it is, or is left for the sign-in page. Set by the cable. */
  dismissed: "staying" | "leaving" | null;
  /** The server refused one of the page's subscriptions; set by the cable. */
  rejected: boolean;
};

const listeners = new Set<() => void>();
let connection: Connection = {
  connected: true,
  silent: false,
  network: true,
  slow: false,
  dismissed: null,
  rejected: false,
};

/** Updates what is known about the connection. */
export function updateConnection(changes: Partial<Connection>): void {
  connection = { ...connection, ...changes };
  for (const listener of listeners) listener();
}

export function useSync(): Sync {
  return useSyncExternalStore(onConnectionChange, readSync, () => "live");
}

/** The current state, outside React. */
export function readSync(): Sync {
  if (connection.dismissed === "staying" || connection.rejected) return "refused";
  if (!connection.connected || connection.silent || !connection.network) return "offline";
  return connection.slow ? "poor" : "live";
}

/**
 * True once the server told this page to stay away. The page then sends nothing by itself, until it is loaded again: timers
 * ask this before each request. What the user does is sent as always.
 */
export function isDismissed(): boolean {
  return connection.dismissed !== null;
}

/** True while the page has a connection that brings nothing. */
export function isSilent(): boolean {
  return connection.silent;
}

/** Calls `listener` whenever something is known about the connection. @returns ends that. */
export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
