import type { SpotView } from "#src/play/spots/schemas.ts";
import { createStore, useStore } from "../base/browser/store.ts";

// Decision: what a press changes first is not part of the view, with which the whole screen renders. Only the two sides read it,
// so the first frame after a press renders two buttons, and everything else follows in the frames after it.

const pressed = createStore<SpotView | null>(null);

/** The spot that was pressed; null once its call has an answer. */
export const setPressedSpot = pressed.set;
export const usePressedSpot = () => useStore(pressed);
