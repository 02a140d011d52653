type Item = { atMs: number; act: () => Promise<void> };

/** What people are going to do, in the order of time. */
export type Agenda = {
  add: (items: readonly Item[]) => void;
  /** When the next action is; null if there is none. */
  nextMs: () => number | null;
  /** Removes and returns the next action. Of the same moment, the one that was added first. */
  takeNext: () => Item | null;
};

/** Creates an empty agenda. */
export function createAgenda(): Agenda {
  let items: Item[] = [];
  let next = 0;
  return {
    add: (added) => {
      // The sort is stable.
      items = [...items.slice(next), ...added].toSorted((one, other) => one.atMs - other.atMs);
      next = 0;
    },
    nextMs: () => items[next]?.atMs ?? null,
    takeNext: () => {
      const item = items[next] ?? null;
      if (item !== null) next += 1;
      return item;
    },
  };
}
