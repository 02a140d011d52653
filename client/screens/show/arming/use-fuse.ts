import { type RefObject, useEffect, useState } from "react";
import { serverNow, useServerTime } from "#client/base/live/clock.ts";

/** What is armed disarms by itself after so long without a key, a click or a move of the pointer in its form. */
export const DISARM_AFTER_MS = 8_000;
const SECOND_MS = 1_000;
/** What restarts the time. */
const usingIt = ["keydown", "input", "pointerdown", "pointermove", "focusin"] as const;

/**
 * Calls `disarm` when the form was not used for so long.
 * @param inside the form, or the element around it.
 * @returns the seconds that are left.
 */
export function useFuse(
  inside: RefObject<HTMLElement | null>,
  { disarm, renderedAt }: { disarm: () => void; renderedAt: string },
): number {
  const [untilMs, setUntilMs] = useState(() => serverNow() + DISARM_AFTER_MS);
  useEffect(() => {
    const element = inside.current;
    const restart = () => setUntilMs(serverNow() + DISARM_AFTER_MS);
    for (const name of usingIt) element?.addEventListener(name, restart);
    return () => {
      for (const name of usingIt) element?.removeEventListener(name, restart);
    };
  }, [inside]);
  useEffect(() => {
    const timer = setTimeout(disarm, untilMs - serverNow());
    return () => clearTimeout(timer);
  }, [untilMs, disarm]);
  return useServerTime((nowMs) => Math.max(0, Math.ceil((untilMs - nowMs) / SECOND_MS)), renderedAt);
}
