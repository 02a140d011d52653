import { useSyncExternalStore } from "react";
import { createStore } from "../browser/store.ts";

/**
 * The page's connection to the server: live, slow or lost. `catching-up`: it is back, and the page has not been told everything yet.
 * `refused`: the server does not let the page follow it, and only a reload can change that.
 */
export type Sync = "live" | "poor" | "catching-up" | "offline" | "refused";

type Connection = {
  /** The websocket is open; set by the cable. */
  connected: boolean;
  /** The socket brings nothing, not even the server's pings; set by the cable. */
  silent: boolean;
  /** The page was away, and what it shows may be old; set with each loss, and ended by the cable. */
  behind: boolean;
  /** Data that was missed is being loaded: how many loads run. */
  loads: number;
  /** The page's own clock has jumped, and the server's time is not measured yet; set by the clock. */
  untimed: boolean;
  /** This computer has a network; set by the browser's events. */
  network: boolean;
  /** Round trips take long; set by the clock. */
  slow: boolean;
  /** The server told this page to stay away: it stays as it is, or is left for the sign-in page. Set by the cable. */
  dismissed: "staying" | "leaving" | null;
  /** The server refused one of the page's subscriptions; set by the cable. */
  rejected: boolean;
};

const store = createStore<Connection>({
  connected: true,
  silent: false,
  behind: false,
  loads: 0,
  untimed: false,
  network: true,
  slow: false,
  dismissed: null,
  rejected: false,
});

export function updateConnection(changes: Partial<Connection>): void {
  const next = { ...store.get(), ...changes };
  store.set(isLost(next) ? { ...next, behind: true } : next);
}

export function useSync(): Sync {
  return useSyncExternalStore(onConnectionChange, readSync, () => "live");
}

/** The current state, outside React. */
export function readSync(): Sync {
  const connection = store.get();
  if (connection.dismissed === "staying" || connection.rejected) return "refused";
  if (isLost(connection)) return "offline";
  if (connection.behind || connection.untimed) return "catching-up";
  return connection.slow ? "poor" : "live";
}

function isLost({ connected, silent, network }: Connection): boolean {
  return !connected || silent || !network;
}

/** True while the page may show what is old, and nothing more is being loaded: as soon as it was told everything, it is not behind. */
export function mayHaveCaughtUp(): boolean {
  const connection = store.get();
  return connection.behind && connection.loads === 0 && !isLost(connection);
}

/** Counts a load of missed data, until the returned function is called. */
export function beginLoad(): () => void {
  const count = (more: number) => updateConnection({ loads: store.get().loads + more });
  count(1);
  return () => count(-1);
}

/**
 * True once the server told this page to stay away. The page then sends nothing by itself, until it is loaded again: timers
 * ask this before each request. What the user does is sent as always.
 */
export function isDismissed(): boolean {
  return store.get().dismissed !== null;
}

/** True while the page has a connection that brings nothing. */
export function isSilent(): boolean {
  return store.get().silent;
}

/** Calls `listener` whenever something is known about the connection. @returns ends that. */
export const onConnectionChange = store.listen;
