import { useSyncExternalStore } from "react";

// Decision: what screen readers hear is a list that grows at its end, so that nothing is overwritten before it was read, and each change
// is said once, by the part that shows it first: the card, the row of the slip, or the ticker.

/** One message. */
export type Line = { id: number; text: string; urgent: boolean };

/** Older ones have been read, and would be read again by who reads the page. */
const LINES_MAX = 4;
const KEPT_MS = 20_000;
/** Of the changes of one show. */
const SAID_MAX = 200;

const NONE: readonly Line[] = [];
const listeners = new Set<() => void>();
const said = new Map<string, string>();
let lines = NONE;
let lastId = 0;

/** Says something to screen readers. @param urgent at once, also while they speak. */
export function say(text: string, { urgent = false }: { urgent?: boolean } = {}): void {
  lastId += 1;
  const id = lastId;
  setLines([...lines, { id, text, urgent }].slice(-LINES_MAX));
  setTimeout(() => setLines(lines.filter((line) => line.id !== id)), KEPT_MS);
}

function setLines(next: readonly Line[]): void {
  lines = next;
  for (const listener of listeners) listener();
}

/** Remembers that this version of a thing is said. @returns the version before; undefined for none. */
export function markSpoken(thing: string, version: string): string | undefined {
  const before = said.get(thing);
  said.delete(thing);
  said.set(thing, version);
  for (const key of said.keys()) if (said.size > SAID_MAX) said.delete(key);
  return before;
}

/** The newest messages, oldest first. */
export function useSpoken(): readonly Line[] {
  return useSyncExternalStore(
    subscribe,
    () => lines,
    () => NONE,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
