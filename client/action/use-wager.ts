import { useSyncExternalStore } from "react";

const STEP_CENTS = 100;
const WAGER_DEFAULT_CENTS = 100;
const KEPT_AS = "wager";

export type Wager = {
  cents: number;
  set: (cents: number) => void;
  /** One dollar more, or less; never below one. */
  step: (direction: 1 | -1) => void;
};

const listeners = new Set<() => void>();

/** The amount of the next call in cents: $1 at first, then what was chosen last on this device. */
export function useWager(): Wager {
  const cents = useSyncExternalStore(subscribe, readKept, () => WAGER_DEFAULT_CENTS);
  return { cents, set: keep, step: (direction) => keep(Math.max(STEP_CENTS, nextStep(cents, direction))) };
}

function readKept(): number {
  const kept = Number(localStorage.getItem(KEPT_AS));
  return Number.isSafeInteger(kept) && kept > 0 ? kept : WAGER_DEFAULT_CENTS;
}

function keep(cents: number): void {
  localStorage.setItem(KEPT_AS, String(cents));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** From an odd amount the next step is a whole dollar: $4.37 -> $5 or $4. */
function nextStep(cents: number, direction: 1 | -1): number {
  const whole = direction > 0 ? Math.floor(cents / STEP_CENTS) : Math.ceil(cents / STEP_CENTS);
  return (whole + direction) * STEP_CENTS;
}
