import { useSyncExternalStore } from "react";

/** The origin by which this browser has reached the server; empty until the page is hydrated. */
export function useOrigin(): string {
  return useSyncExternalStore(
    neverChanges,
    () => globalThis.location.origin,
    () => "",
  );
}

/** True where only the computer of this browser can open the origin. */
export function isThisComputer(origin: string): boolean {
  return /^https?:\/\/(localhost|[^/]+\.localhost|127\.[\d.]+|\[::1\])(:\d+)?$/.test(origin);
}

function neverChanges(): () => void {
  return () => undefined;
}
