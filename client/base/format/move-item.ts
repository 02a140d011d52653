/** The list with the item at index `from` moved to `to`. Indexes outside the list mean its ends. */
export function moveItem<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const moved = [...list];
  moved.splice(Math.max(0, to), 0, ...moved.splice(from, 1));
  return moved;
}

/** The index that a dragged row has reached. @param middles of all rows when the drag began; `middle` is the row's now. */
export function indexAt(middles: readonly number[], from: number, middle: number): number {
  return middles.filter((other, index) => index !== from && other < middle).length;
}

/** How far a row moves aside, in rows: -1 is up, 1 is down. The dragged row came from `from` and is over `to`. */
export function shiftOf(index: number, { from, to }: { from: number; to: number }): -1 | 0 | 1 {
  if (index > from && index <= to) return -1;
  return index < from && index >= to ? 1 : 0;
}

/** The items in the order of `ids`. Items that are not in `ids` come last, in their old order. */
export function inOrder<Item extends { id: number }>(items: readonly Item[], ids: readonly number[]): Item[] {
  const positions = new Map(ids.map((id, position) => [id, position]));
  const positionOf = ({ id }: Item) => positions.get(id) ?? ids.length;
  return items.toSorted((one, other) => positionOf(one) - positionOf(other));
}
