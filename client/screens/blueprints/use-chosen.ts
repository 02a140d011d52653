import { useCallback, useState } from "react";
import type { BlueprintEventView } from "#src/show/blueprints/schemas.ts";

const ALL = "all";

/** The chosen events. The address names them where a form has just brought them along (`?chosen=3`, `?chosen=all`). */
export function useChosen(events: readonly BlueprintEventView[], search: URLSearchParams) {
  const named = search.getAll("chosen").join(" ");
  const [chosen, setChosen] = useState(() => namedIn(events, named));
  const [previous, setPrevious] = useState(named);
  if (named !== previous) {
    setPrevious(named);
    if (named !== "") setChosen(namedIn(events, named));
  }
  const choose = useCallback((ids: ReadonlySet<number>) => setChosen(ids), []);
  // One that was removed is not chosen any more.
  const present = new Set(events.flatMap(({ id }) => (chosen.has(id) ? [id] : [])));
  return { chosen: present, choose };
}

function namedIn(events: readonly BlueprintEventView[], named: string): ReadonlySet<number> {
  if (named === ALL) return new Set(events.map(({ id }) => id));
  return new Set(named === "" ? [] : named.split(" ").map(Number));
}
