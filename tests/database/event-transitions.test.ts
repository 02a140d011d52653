import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type EventState, eventStates } from "#db/lists/events.ts";
import { eventActions, eventTransitions } from "#src/events/contract.ts";

/** Every change of state that guard_event allows, as "from -> to". */
function legalInDatabase(): string[] {
  const text = readFileSync("db/sql/triggers/guard-event.sql", "utf8");
  const list = /\(OLD\.state, NEW\.state\) NOT IN \(([^]*?)\n {2}\) THEN/.exec(text)?.[1] ?? "";
  return [...list.matchAll(/\('(\w+)', '(\w+)'\)/g)].map(([, from, to]) => `${from} -> ${to}`);
}

/** Every change of state that the verbs make in one UPDATE. */
function legalInProgram(): string[] {
  const named = Object.values(eventTransitions).flatMap(({ from, to }) =>
    from.map((state: EventState) => `${state} -> ${to}`),
  );
  return [
    ...named,
    // A skip hides the event.
    ...eventActions.skip.from.map((state) => `${state} -> hidden`),
    // Showing an event with a result leads back to resolved.
    "hidden -> resolved",
  ];
}

test("the database allows exactly the changes of an event's state that the program makes", () => {
  const changes = legalInProgram().filter((change) => {
    const [from, to] = change.split(" -> ");
    // Resolving an open event closes it first.
    return from !== to && change !== "open -> resolved";
  });
  expect([...new Set(legalInDatabase())].toSorted()).toEqual([...new Set(changes)].toSorted());
});

test("guard_event names only states of the list", () => {
  const known = new Set<string>(eventStates);
  const named = legalInDatabase().flatMap((change) => change.split(" -> "));
  expect(named.filter((state) => !known.has(state))).toEqual([]);
});
