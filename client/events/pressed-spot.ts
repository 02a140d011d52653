import { useSyncExternalStore } from "react";
import type { SpotView } from "#src/play/spots/schemas.ts";

// Decision: what a press changes first is not part of the view, with which the whole screen renders. Only the two sides read it,
// so the first frame after a press renders two buttons, and everything else follows in the frames after it.

const listeners = new Set<() => void>();
let pressed: SpotView | null = null;

/** @param spot the one that was pressed; null once its call has an answer. */
export function setPressedSpot(spot: SpotView | null): void {
  pressed = spot;
  for (const listener of listeners) listener();
}

/** The spot that was pressed, until its call has an answer; otherwise null. */
export function usePressedSpot(): SpotView | null {
  return useSyncExternalStore(
    subscribe,
    () => pressed,
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
