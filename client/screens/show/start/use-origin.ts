import { useSyncExternalStore } from "react";

/** The origin by which this browser has reached the server; empty until the page is hydrated. */
export function useOrigin(): string {
  return useSyncExternalStore(
    neverChanges,
    () => globalThis.location.origin,
    () => "",
  );
}

function neverChanges(): () => void {
  return () => undefined;
}
