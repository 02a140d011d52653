import { useCallback, useMemo, useState } from "react";
import { useLocation } from "react-router";
import type { BlueprintEventView } from "#src/blueprints/schemas.ts";
import { areSame, type EventFields, fieldsOf } from "./event-fields.ts";
import { eventIn } from "./panel.ts";

export type Drafts = ReadonlyMap<string, EventFields>;

const NONE: Drafts = new Map();

/**
 * What is typed into the forms of events and not saved yet, by panel. It stays while other panels are open, and goes once it
 * is saved.
 * @param savedPanel whose form was just saved; null where none was.
 * @param blank what a new event starts with.
 */
export function useDrafts(
  events: readonly BlueprintEventView[],
  { savedPanel, blank }: { savedPanel: string | null; blank: EventFields },
) {
  const [typed, setTyped] = useState(NONE);
  const [bases, setBases] = useState<ReadonlyMap<string, string>>(new Map());
  const { key } = useLocation();
  const [seenKey, setSeenKey] = useState(key);
  const forget = useCallback((panel: string) => {
    setTyped((before) => without(before, panel));
    setBases((before) => without(before, panel));
  }, []);
  if (key !== seenKey) {
    setSeenKey(key);
    if (savedPanel !== null) forget(savedPanel);
  }
  const type = useCallback(
    (panel: string, fields: EventFields) => {
      setTyped((before) => new Map(before).set(panel, fields));
      setBases((before) =>
        before.has(panel) ? before : new Map(before).set(panel, loadedVersion(panel, events)),
      );
    },
    [events],
  );
  const versionOf = (panel: string) => bases.get(panel) ?? loadedVersion(panel, events);
  const drafts = useMemo(() => changedIn(typed, events, blank), [typed, events, blank]);
  return { typed, drafts, type, forget, versionOf };
}

/** What is loaded again while somebody types is not what the form is based on. */
function loadedVersion(panel: string, events: readonly BlueprintEventView[]): string {
  return String(eventIn(panel, events)?.version ?? "");
}

function without<Value>(map: ReadonlyMap<string, Value>, panel: string): ReadonlyMap<string, Value> {
  return new Map([...map].filter(([other]) => other !== panel));
}

/** Those of the drafts that differ from what is saved. */
function changedIn(typed: Drafts, events: readonly BlueprintEventView[], blank: EventFields): Drafts {
  const changed = [...typed].filter(([panel, fields]) => {
    if (panel === "new") return !areSame(fields, blank);
    const event = eventIn(panel, events);
    return event !== undefined && !areSame(fields, fieldsOf(event));
  });
  return changed.length === 0 ? NONE : new Map(changed);
}
