import { useSyncExternalStore } from "react";

const unchanging = () => () => undefined;

/** True once the page is live; false on the server and during hydration. */
export function useScripted(): boolean {
  return useSyncExternalStore(
    unchanging,
    () => true,
    () => false,
  );
}
