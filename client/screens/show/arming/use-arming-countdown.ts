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

/**
 * What is armed disarms by itself after so long in which nobody uses its form: no key, no click, no move of the pointer, and neither the
 * focus on a part of it nor the pointer over it. Who reads the form does not lose it.
 */
export const DISARM_AFTER_MS = 8_000;
const SECOND_MS = 1_000;
/** What restarts the time. */
const usingIt = [
  "keydown",
  "input",
  "pointerdown",
  "pointermove",
  "pointerleave",
  "focusin",
  "focusout",
] as const;

type FuseOptions = {
  disarm: () => void;
  renderedAt: string;
  /** The act is being sent: it stays armed meanwhile. */
  isHeld?: boolean;
};

/**
 * Calls `disarm` when the form was not used for so long.
 * @param inside the form, or the element around it.
 * @returns the seconds that are left; null while it stays armed.
 */
export function useArmingCountdown(
  inside: RefObject<HTMLElement | null>,
  { disarm, renderedAt, isHeld = false }: FuseOptions,
): number | null {
  const [doesStay] = useState(doesArmedStay);
  const { untilMs, isInUse } = useUse(inside, isHeld);
  const stays = doesStay || isHeld || isInUse;
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(disarm, untilMs - serverNow());
    return () => clearTimeout(timer);
  }, [stays, untilMs, disarm]);
  const leftS = useServerTime((nowMs) => Math.max(0, Math.ceil((untilMs - nowMs) / SECOND_MS)), renderedAt);
  return stays ? null : leftS;
}

/** When the time ends unless somebody uses the form until then, and whether somebody is in it now. */
function useUse(
  inside: RefObject<HTMLElement | null>,
  isHeld: boolean,
): { untilMs: number; isInUse: boolean } {
  const [use, setUse] = useState(() => ({ untilMs: serverNow() + DISARM_AFTER_MS, isInUse: false }));
  const [wasHeld, setWasHeld] = useState(isHeld);
  if (wasHeld !== isHeld) {
    setWasHeld(isHeld);
    // It was sent without success: the whole time is left.
    setUse({ ...use, untilMs: serverNow() + DISARM_AFTER_MS });
  }
  useEffect(() => {
    const element = inside.current;
    let isPointed = false;
    const follow = (event: Event) => {
      // A form that appears under a pointer at rest is not pointed at.
      if (event instanceof PointerEvent && event.type === "pointermove")
        isPointed ||= event.movementX !== 0 || event.movementY !== 0;
      if (event.type === "pointerleave") isPointed = false;
      const focused =
        event instanceof FocusEvent && event.type === "focusout"
          ? event.relatedTarget
          : document.activeElement;
      // The form itself has the focus from the moment on at which it was armed.
      const isFocused = focused instanceof Node && focused !== element && element?.contains(focused) === true;
      setUse({ untilMs: serverNow() + DISARM_AFTER_MS, isInUse: isPointed || isFocused });
    };
    for (const name of usingIt) element?.addEventListener(name, follow);
    return () => {
      for (const name of usingIt) element?.removeEventListener(name, follow);
    };
  }, [inside]);
  return use;
}
