import { useSyncExternalStore } from "react";
import { WAGER_DEFAULT } from "#src/calls/contract.ts";

const STEP_CENTS = 100;
const WAGER_DEFAULT_CENTS = WAGER_DEFAULT * 100;
const STORAGE_KEY = "wager";

const listeners = new Set<() => void>();

/**
 * The amount of the next call in cents: the last one chosen on this device, $1 at first. Only what shows it reads it, so a
 * choice does not render the whole screen.
 */
export function useWager(): number {
  return useSyncExternalStore(subscribe, readWager, () => WAGER_DEFAULT_CENTS);
}

/** One dollar more, or less; never below one. */
export function stepWager(direction: 1 | -1): void {
  setWager(Math.max(STEP_CENTS, nextStep(readWager(), direction)));
}

/** Without localStorage the amount lasts as long as the page. */
let current: number | null = null;

/** The amount outside React. */
export function readWager(): number {
  current ??= readStored();
  return current;
}

/** Chooses the amount of the next call, in cents. */
export function setWager(cents: number): void {
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
