import { expect, test } from "bun:test";
import { type EventState, eventStates } from "#db/lists/events.ts";
import { eventActions, eventTransitions } from "#src/events/contract.ts";
import { buildDraft } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();

/** Tries each change of state on a copy of the table that has this trigger and no other rule. @returns those that it allows. */
async function legalInDatabase(): Promise<string[]> {
  const { id } = await buildDraft(deps);
  const { sql } = deps.pool;
  await sql.unsafe(`
    CREATE TABLE tried_events (LIKE events);
    CREATE TRIGGER tried_guard BEFORE UPDATE ON tried_events FOR EACH ROW EXECUTE FUNCTION guard_event();
    CREATE FUNCTION is_legal(from_state text, to_state text, event bigint) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM tried_events;
      INSERT INTO tried_events
        SELECT (jsonb_populate_record(e, jsonb_build_object('state', from_state))).* FROM events e WHERE e.id = event;
      UPDATE tried_events SET state = to_state, round = round + (to_state = 'draft')::int;
      RETURN true;
    EXCEPTION WHEN check_violation THEN
      RETURN false;
    END $$`);
  const legal: string[] = [];
  for (const from of eventStates)
    for (const to of eventStates.filter((state) => state !== from)) {
      const [row] = await sql<{ legal: boolean }[]>`SELECT is_legal(${from}, ${to}, ${id}) AS legal`;
      if (row?.legal === true) legal.push(`${from} -> ${to}`);
    }
  await sql.unsafe("DROP FUNCTION is_legal; DROP TABLE tried_events");
  return legal;
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

test("the database allows exactly the changes of an event's state that the program makes", async () => {
  const changes = legalInProgram().filter((change) => {
    const [from, to] = change.split(" -> ");
    // Resolving an open event closes it first.
    return from !== to && change !== "open -> resolved";
  });
  expect((await legalInDatabase()).toSorted()).toEqual([...new Set(changes)].toSorted());
});
