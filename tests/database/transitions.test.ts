import { expect, test } from "bun:test";
import { callStates } from "#db/lists/calls.ts";
import { eventStates } from "#db/lists/events.ts";
import { sessionStates } from "#db/lists/sessions.ts";
import { callTransitions } from "#src/play/calls/contract.ts";
import { eventActions, eventTransitions } from "#src/show/events/contract.ts";
import { sessionTransitions } from "#src/show/sessions/contract.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, build } = await testWorld();
const { sql } = deps.pool;
const { id: sessionId } = await build.runningSession();
const { id: eventId } = await build.event("open", { sessionId, durationSeconds: 600 });
await build.call({ userId: (await build.player()).id, eventId });
// The last one has no calls, which would keep it in the show.
await build.draft({ sessionId });
// A stop is undone where it is known what it has ended.
await sql.unsafe("UPDATE sessions SET before_stop = '{}'");

/**
 * Tries each change of state on a copy of a table that has its triggers about states, and no other rule.
 * @param also what the program writes together with a state.
 * @returns the changes that are allowed, as "from -> to".
 */
async function allowedIn(table: string, states: readonly string[], also: string): Promise<string[]> {
  await sql.unsafe(`CREATE TABLE tried (LIKE ${table})`);
  const triggers = await sql<{ definition: string }[]>`
    SELECT replace(pg_get_triggerdef(t.oid), ${` ON public.${table} `}, ' ON tried ') AS definition
    FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE t.tgrelid = ${table}::regclass AND p.proname IN ('deny_transition', 'guard_event')`;
  for (const { definition } of triggers) await sql.unsafe(definition);
  await sql.unsafe(`
    CREATE FUNCTION is_allowed(from_state text, to_state text) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      TRUNCATE tried;
      INSERT INTO tried
        SELECT (jsonb_populate_record(r, jsonb_build_object('state', from_state))).* FROM ${table} r ORDER BY id DESC LIMIT 1;
      UPDATE tried SET state = to_state ${also};
      RETURN true;
    EXCEPTION WHEN check_violation THEN
      RETURN false;
    END $$`);
  const changes = states.flatMap((from) => states.filter((to) => to !== from).map((to) => ({ from, to })));
  const allowed: string[] = [];
  for (const { from, to } of changes) {
    const [row] = await sql<{ allowed: boolean }[]>`SELECT is_allowed(${from}, ${to}) AS allowed`;
    if (row?.allowed === true) allowed.push(`${from} -> ${to}`);
  }
  await sql.unsafe("DROP FUNCTION is_allowed; DROP TABLE tried");
  return allowed;
}

type Table = Record<string, { from: readonly string[]; to: string }>;

/** The changes of state that the verbs make by the rows of a table, as "from -> to". */
function changesOf(table: Table): string[] {
  return Object.values(table).flatMap(({ from, to }) =>
    from.filter((state) => state !== to).map((state) => `${state} -> ${to}`),
  );
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
  ["events", eventStates, eventChanges, ", round = round + (to_state = 'draft')::int"],
  ["sessions", sessionStates, changesOf(sessionTransitions), ""],
  ["calls", callStates, changesOf(callTransitions), ", refunded_by = 'skip'"],
] as const)(
  "the database allows exactly the changes of a state that the program makes: %s",
  async (table, states, changes, also) => {
    expect((await allowedIn(table, states, also)).toSorted()).toEqual([...new Set(changes)].toSorted());
  },
);
