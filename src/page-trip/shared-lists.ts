const sources = new WeakMap<readonly unknown[], readonly object[]>();

/**
 * Remembers that a list of one viewer was made of a list that all viewers share, item by item. So a page can bring what is shared
 * as it was written for the page before.
 */
export function rememberSource<List extends readonly object[]>(list: List, shared: readonly object[]): List {
  sources.set(list, shared);
  return list;
}

/** The shared list that a list was made of; null if it is not known. */
export function sourceOf(list: readonly unknown[]): readonly object[] | null {
  return sources.get(list) ?? null;
}
