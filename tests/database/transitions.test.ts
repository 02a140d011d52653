import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { callStates } from "#db/lists/calls.ts";
import { eventStates } from "#db/lists/events.ts";
import { sessionStates } from "#db/lists/sessions.ts";
import { callTransitions } from "#src/play/calls/contract.ts";
import { eventActions, eventTransitions } from "#src/show/events/contract.ts";
import { sessionTransitions } from "#src/show/sessions/contract.ts";

type Table = Record<string, { from: readonly string[]; to: string }>;

/** The changes of state that the verbs make by the rows of a table, as "from -> to". */
function changesOf(table: Table): string[] {
  return Object.values(table).flatMap(({ from, to }) =>
    from.filter((state) => state !== to).map((state) => `${state} -> ${to}`),
  );
}

/** The changes of state that a trigger allows. */
function allowedBy(trigger: string): string[] {
  const text = readFileSync(`db/sql/triggers/${trigger}.sql`, "utf8").replaceAll(/--.*/g, "");
  const list =
    /\(OLD\.state, NEW\.state\) NOT IN\s*\(\s*((?:\('\w+', '\w+'\),?\s*)+)\)/.exec(text)?.[1] ?? "";
  return [...list.matchAll(/\('(\w+)', '(\w+)'\)/g)].map(([, from, to]) => `${from} -> ${to}`);
}

const eventChanges = [
  // Resolving an open event closes it first.
  ...changesOf(eventTransitions).filter((change) => change !== "open -> resolved"),
  // A skip hides the event.
  ...eventActions.skip.from.map((state) => `${state} -> hidden`),
  // Showing an event with a result leads back to resolved.
  "hidden -> resolved",
];

test.each([
  ["event", "guard-event", eventStates, eventChanges],
  ["session", "sessions-triggers", sessionStates, changesOf(sessionTransitions)],
  ["call", "calls-triggers", callStates, changesOf(callTransitions)],
] as const)(
  "the database allows exactly the changes of a state that the program makes: %s",
  (_, trigger, states, changes) => {
    const allowed = allowedBy(trigger);
    expect([...new Set(allowed)].toSorted()).toEqual([...new Set(changes)].toSorted());
    const known = new Set<string>(states);
    expect(allowed.flatMap((change) => change.split(" -> ")).filter((state) => !known.has(state))).toEqual(
      [],
    );
  },
);
