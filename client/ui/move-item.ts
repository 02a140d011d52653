/** The same list with the item at `from` moved to `to`; places outside the list are its ends. */
export function moveItem<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const moved = list.slice(from, from + 1);
  return list.toSpliced(from, 1).toSpliced(Math.max(0, to), 0, ...moved);
}

/**
 * The place that a dragged row has come to.
 * @param middles where the middle of each row stood when the drag began, from the first to the last.
 * @param middle where the middle of the dragged row is now.
 */
export function indexAt(middles: readonly number[], from: number, middle: number): number {
  return middles.filter((other, index) => index !== from && other < middle).length;
}

/** How many rows up (-1) or down (1) a row makes room, while the one from `from` is held over `to`. */
export function shiftOf(index: number, { from, to }: { from: number; to: number }): -1 | 0 | 1 {
  if (index > from && index <= to) return -1;
  return index < from && index >= to ? 1 : 0;
}

/** The things in the order of these ids; what is not among them goes last, as it stood. */
export function inOrder<Thing extends { id: number }>(
  things: readonly Thing[],
  ids: readonly number[],
): Thing[] {
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = ({ id }: Thing) => places.get(id) ?? ids.length;
  return things.toSorted((one, other) => placeOf(one) - placeOf(other));
}
