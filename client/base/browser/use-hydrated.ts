import { useSyncExternalStore } from "react";

const unchanging = () => () => undefined;

/** True once the page is live; false on the server and during hydration. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    unchanging,
    () => true,
    () => false,
  );
}

/** The origin by which this browser has reached the server; empty until the page is hydrated. */
export function useOrigin(): string {
  return useHydrated() ? globalThis.location.origin : "";
}
