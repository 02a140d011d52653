import { type RefObject, useEffect, useState } from "react";
import { serverNow, useServerTime } from "#client/base/live/clock.ts";

const STAYS_KEY = "armed";

/** True where the host has set that what is armed stays so until it is done or disarmed. */
export function doesArmedStay(): boolean {
  try {
    return localStorage.getItem(STAYS_KEY) === "stays";
  } catch {
    return false;
  }
}

/** Sets it for this device; without storage the time goes on. */
export function letArmedStay(stays: boolean): void {
  try {
    if (stays) localStorage.setItem(STAYS_KEY, "stays");
    else localStorage.removeItem(STAYS_KEY);
  } catch {
    // Storage is switched off.
  }
}

/** What is armed disarms by itself after so long without a key, a click or a move of the pointer in its form. */
export const DISARM_AFTER_MS = 8_000;
const SECOND_MS = 1_000;
/** What restarts the time. */
const usingIt = ["keydown", "input", "pointerdown", "pointermove", "focusin"] as const;

/**
 * Calls `disarm` when the form was not used for so long.
 * @param inside the form, or the element around it.
 * @returns the seconds that are left; null where it stays armed.
 */
export function useFuse(
  inside: RefObject<HTMLElement | null>,
  { disarm, renderedAt }: { disarm: () => void; renderedAt: string },
): number | null {
  const [stays] = useState(doesArmedStay);
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
    if (stays) return;
    const timer = setTimeout(disarm, untilMs - serverNow());
    return () => clearTimeout(timer);
  }, [stays, untilMs, disarm]);
  const leftS = useServerTime((nowMs) => Math.max(0, Math.ceil((untilMs - nowMs) / SECOND_MS)), renderedAt);
  return stays ? null : leftS;
}
