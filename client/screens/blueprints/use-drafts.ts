import { useCallback, useMemo, useState } from "react";
import { useLocation } from "react-router";
import { areSame, type EventFields, fieldsOf } from "#client/blueprints/event-fields.ts";
import type { BlueprintEventView } from "#src/show/blueprints/schemas.ts";
import { eventIn } from "./panel.ts";

export type Drafts = ReadonlyMap<string, EventFields>;

const NONE: Drafts = new Map();

/**
 * The unsaved changes in the forms of events, by panel. They are kept while other panels are open, and deleted once saved.
 * @param savedPanel the panel whose form was just saved; null if none was.
 * @param blank the values of a new event.
 */
export function useDrafts(
  events: readonly BlueprintEventView[],
  { savedPanel, blank }: { savedPanel: string | null; blank: EventFields },
) {
  const [typed, setTyped] = useState(NONE);
  const [baseVersions, setBaseVersions] = useState<ReadonlyMap<string, string>>(new Map());
  const { key } = useLocation();
  const [previousKey, setPreviousKey] = useState(key);
  const discard = useCallback((panel: string) => {
    setTyped((before) => without(before, panel));
    setBaseVersions((before) => without(before, panel));
  }, []);
  if (key !== previousKey) {
    setPreviousKey(key);
    if (savedPanel !== null) discard(savedPanel);
  }
  const type = useCallback(
    (panel: string, fields: EventFields) => {
      setTyped((before) => new Map(before).set(panel, fields));
      setBaseVersions((before) =>
        before.has(panel) ? before : new Map(before).set(panel, loadedVersion(panel, events)),
      );
    },
    [events],
  );
  const versionOf = (panel: string) => baseVersions.get(panel) ?? loadedVersion(panel, events);
  const drafts = useMemo(() => changedIn(typed, events, blank), [typed, events, blank]);
  return { typed, drafts, type, discard, versionOf };
}

/** Recorded when typing starts: data that is loaded later is not what the form is based on. */
function loadedVersion(panel: string, events: readonly BlueprintEventView[]): string {
  return String(eventIn(panel, events)?.version ?? "");
}

function without<Value>(map: ReadonlyMap<string, Value>, panel: string): ReadonlyMap<string, Value> {
  return new Map([...map].filter(([other]) => other !== panel));
}

/** The entries that differ from what is saved. */
function changedIn(typed: Drafts, events: readonly BlueprintEventView[], blank: EventFields): Drafts {
  const changed = [...typed].filter(([panel, fields]) => {
    if (panel === "new") return !areSame(fields, blank);
    const event = eventIn(panel, events);
    return event !== undefined && !areSame(fields, fieldsOf(event));
  });
  return changed.length === 0 ? NONE : new Map(changed);
}
