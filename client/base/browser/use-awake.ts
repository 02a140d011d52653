import { useEffect } from "react";

/** Keeps the device's screen on while `isOn` and the page is visible, where the browser can do that. */
export function useAwake(isOn = true): void {
  useEffect(() => {
    // Older browsers have none, and pages without https neither. In a frame it belongs to the page around it.
    if (!isOn || !("wakeLock" in navigator) || globalThis.self !== globalThis.top) return;
    let lock: WakeLockSentinel | null = null;
    let isLeft = false;
    const hold = () => {
      if (document.visibilityState !== "visible") return;
      // Refused while the battery is low, for example. The browser ends it when the page is hidden.
      navigator.wakeLock.request("screen").then(
        (held) => {
          lock = held;
          if (isLeft) void held.release();
        },
        () => undefined,
      );
    };
    hold();
    document.addEventListener("visibilitychange", hold);
    return () => {
      isLeft = true;
      document.removeEventListener("visibilitychange", hold);
      void lock?.release();
    };
  }, [isOn]);
}
