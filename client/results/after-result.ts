import { createStore, useStore } from "../base/browser/store.ts";

/** What the result bar's code adds to the card and the ticker, once it has arrived. */
type AfterResult = {
  /** How far a won amount has been counted up, in cents; null while nothing is counted. */
  counted: number | null;
  /** How the result has moved the viewer among the players: "5th → 2nd, passed Zed"; empty if it did not. */
  move: string;
  /** The last result, for the ticker. */
  line: string | null;
  /** What a correction has changed, for the result on the card. */
  correction: string | null;
};

const store = createStore<AfterResult>({ counted: null, move: "", line: null, correction: null });

export const useAfterResult = () => useStore(store);

export function setAfterResult(changes: Partial<AfterResult>): void {
  store.set({ ...store.get(), ...changes });
}
