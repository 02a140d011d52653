import { useSyncExternalStore } from "react";
import { WAGER_DEFAULT } from "#src/calls/contract.ts";

const STEP_CENTS = 100;
const WAGER_DEFAULT_CENTS = WAGER_DEFAULT * 100;
const STORAGE_KEY = "wager";

export type Wager = {
  cents: number;
  set: (cents: number) => void;
  /** One dollar more, or less; never below one. */
  step: (direction: 1 | -1) => void;
};

const listeners = new Set<() => void>();

/** The amount of the next call in cents: the last one chosen on this device, $1 at first. */
export function useWager(): Wager {
  const cents = useSyncExternalStore(subscribe, readCurrent, () => WAGER_DEFAULT_CENTS);
  return { cents, set: store, step: (direction) => store(Math.max(STEP_CENTS, nextStep(cents, direction))) };
}

/** Without localStorage the amount lasts as long as the page. */
let current: number | null = null;

function readCurrent(): number {
  current ??= readStored();
  return current;
}

function store(cents: number): void {
  current = cents;
  try {
    localStorage.setItem(STORAGE_KEY, String(cents));
  } catch {
    // Storage is switched off or full.
  }
  for (const listener of listeners) listener();
}

function readStored(): number {
  try {
    const stored = Number(localStorage.getItem(STORAGE_KEY));
    return Number.isSafeInteger(stored) && stored > 0 ? stored : WAGER_DEFAULT_CENTS;
  } catch {
    return WAGER_DEFAULT_CENTS;
  }
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
