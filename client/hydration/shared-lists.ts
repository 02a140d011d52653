import { type LoaderData, mapValues } from "../deferred/hydrate-deferred.ts";

/** A list of the loaders' data that the pages of many viewers have in common. Neither it nor its items ever change. */
export type SharedList = readonly object[];

/** Takes the place of a list in the page's hydration data: which shared list it is, and what is different in this page. */
type Marker = {
  sharedList: number;
  /** The items with other values, by their index: these values alone. */
  changes: readonly (readonly [index: number, values: object])[];
};

/**
 * Replaces lists of the loaders' data by their differences from shared ones, which the page brings besides.
 * @param sourceOf the shared list that a list was made of, item by item; null if there is none.
 * @returns the data, and the shared lists that it needs.
 */
export function markShared(
  loaderData: LoaderData,
  sourceOf: (list: readonly unknown[]) => SharedList | null,
): { marked: LoaderData; lists: SharedList[] } {
  const lists: SharedList[] = [];
  const marked = mapRoutes(loaderData, (value) => {
    const source = Array.isArray(value) ? sourceOf(value) : null;
    if (!Array.isArray(value) || source === null) return value;
    lists.push(source);
    return { sharedList: lists.length - 1, changes: changesFrom(source, value) } satisfies Marker;
  });
  return { marked: lists.length === 0 ? loaderData : marked, lists };
}

/** Turns the markers back into lists. */
export function reviveShared(loaderData: LoaderData, lists: readonly SharedList[]): LoaderData {
  if (lists.length === 0) return loaderData;
  return mapRoutes(loaderData, (value) => (isMarker(value) ? listOf(value, lists) : value));
}

function changesFrom(source: SharedList, list: readonly object[]): Marker["changes"] {
  const changes: [index: number, values: object][] = [];
  for (const [index, item] of list.entries()) {
    if (item !== source[index]) changes.push([index, differenceOf(item, source[index])]);
  }
  return changes;
}

/** The values of an item that its shared one has not. */
function differenceOf(item: object, shared: object | undefined): Record<string, unknown> {
  const known: Readonly<Record<string, unknown>> = { ...shared };
  const values: Readonly<Record<string, unknown>> = { ...item };
  const changed: Record<string, unknown> = {};
  for (const name of Object.keys(values)) {
    if (values[name] !== known[name]) changed[name] = values[name];
  }
  return changed;
}

function listOf({ sharedList, changes }: Marker, lists: readonly SharedList[]): object[] {
  const list = [...(lists[sharedList] ?? [])];
  for (const [index, values] of changes) list[index] = { ...list[index], ...values };
  return list;
}

/** Shared lists are values of what a loader returns, or of an object in it. */
function mapRoutes(loaderData: LoaderData, replace: (value: unknown) => unknown): LoaderData {
  return mapValues(loaderData, (data) => mapObject(data, (value) => mapObject(replace(value), replace)));
}

function mapObject(data: unknown, replace: (value: unknown) => unknown): unknown {
  return isPlainObject(data) ? mapValues(data, replace) : data;
}

function isPlainObject(data: unknown): data is Record<string, unknown> {
  return typeof data === "object" && data !== null && Object.getPrototypeOf(data) === Object.prototype;
}

function isMarker(value: unknown): value is Marker {
  return typeof value === "object" && value !== null && "sharedList" in value;
}
