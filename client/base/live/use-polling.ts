import { useEffect } from "react";
import { isDismissed } from "./connection.ts";

type Polling = {
  everyMs: number;
  enabled: boolean;
  /** Skips the polls of a page that is in the background. */
  whenVisible: boolean;
};

/** Calls `poll` at an interval while it is enabled, and never once the server told the page to stay away. */
export function usePolling(poll: () => void, { everyMs, enabled, whenVisible }: Polling): void {
  useEffect(() => {
    if (!enabled) return;
    const timer = setInterval(() => {
      if (!isDismissed() && (!whenVisible || document.visibilityState === "visible")) poll();
    }, everyMs);
    return () => clearInterval(timer);
  }, [poll, everyMs, enabled, whenVisible]);
}
