import { Deferred, type Outcome } from "./deferred.ts";

type Values = Record<string, unknown>;
/** What loaders have returned, by route. */
export type LoaderData = Values;

/** Takes the place of a Deferred in the page's hydration data. */
type Marker = {
  deferredPath: string;
  /** Null for a part that follows: its outcome comes in a script that names the same id. */
  settled: Outcome<unknown> | null;
  id: number;
};
/** An outcome that comes after the page, with the id of its part. */
export type LatePart = [id: number, outcome: Outcome<unknown>];

declare global {
  interface Window {
    /** The page's scripts push late parts into it, before and after the browser's code has started. */
    lateParts?: { push: (part: LatePart) => unknown } | LatePart[];
  }
}

export function deferredIn(loaderData: LoaderData): Deferred[] {
  return Object.values(loaderData).flatMap((data) =>
    hasParts(data) ? Object.values(data).filter((value) => value instanceof Deferred) : [],
  );
}

/** Replaces the deferred parts of each route's data by markers. @returns also the parts that are not settled yet, by their id. */
export function markDeferred(
  loaderData: LoaderData,
  parts = deferredIn(loaderData),
): { marked: LoaderData; pending: Map<number, Deferred> } {
  const pending = new Map<number, Deferred>();
  if (parts.length === 0) return { marked: loaderData, pending };
  let lastId = 0;
  const marked = mapParts(loaderData, (value) => {
    if (!(value instanceof Deferred)) return value;
    const { path: deferredPath, settled } = value;
    lastId += 1;
    if (settled === null) pending.set(lastId, value);
    return { deferredPath, settled, id: lastId } satisfies Marker;
  });
  return { marked, pending };
}

/** Turns the markers back into deferred parts, which the page's scripts settle. @returns also those that are still missing. */
export function reviveDeferred(loaderData: LoaderData): {
  revived: LoaderData;
  missing: Map<number, Deferred>;
} {
  const missing = new Map<number, Deferred>();
  const revived = mapParts(loaderData, (value) => {
    if (!isMarker(value)) return value;
    const deferred = new Deferred(value.deferredPath);
    if (value.settled === null) missing.set(value.id, deferred);
    else deferred.settle(value.settled);
    return deferred;
  });
  const receive = ([id, outcome]: LatePart) => {
    missing.get(id)?.settle(outcome);
    missing.delete(id);
  };
  const early = globalThis.window.lateParts;
  if (Array.isArray(early)) early.forEach(receive);
  globalThis.window.lateParts = { push: receive };
  return { revived, missing };
}

/** Deferred parts are values of the object that a loader returns, never deeper, so no text of a user is taken for a marker. */
function mapParts(loaderData: LoaderData, replace: (value: unknown) => unknown): LoaderData {
  return mapValues(loaderData, (data) => (hasParts(data) ? mapValues(data, replace) : data));
}

function hasParts(data: unknown): data is Values {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}

function mapValues(values: Values, replace: (value: unknown) => unknown): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, replace(value)]));
}

function isMarker(value: unknown): value is Marker {
  return typeof value === "object" && value !== null && "deferredPath" in value;
}
