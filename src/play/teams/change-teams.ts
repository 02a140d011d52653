import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { wholeNumber } from "#db/ledger/query.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { invalid } from "#src/base/refusal.ts";
import { teamMembers } from "./team-members.ts";

// Decision: a team is known by its place in the list. So a name can change at any time and no player's row changes with it. In return the
// teams that have players stay in their places.

type Change = { sessionId: number; before: readonly string[]; after: readonly string[] };

/**
 * Checks a new list of a session's teams, and puts players who have joined and are in none of them into one. Call it in the transaction
 * that has written the list, with the session's row locked.
 * @throws Refusal 422 if a team that has players would be removed or moved. Removing all teams is allowed: their players come back with them.
 */
export async function changeTeams(tx: Transaction, { sessionId, before, after }: Change): Promise<void> {
  if (after.length > 0 && before.length > 0) {
    const taken = await findTaken(tx, sessionId);
    if (taken.some((number) => hasLeft(number - 1, before, after))) throw mustStay();
  }
  await tx.execute(sql`SELECT give_teams(${sessionId}, ARRAY(
    SELECT g.id FROM registrations g
    WHERE g.session_id = ${sessionId} AND NOT coalesce(g.team <= ${after.length}, FALSE) ORDER BY g.id))`);
  await writeFact(tx, { kind: "leaders_changed", sessionId });
}

const numbers = v.array(v.object({ team: wholeNumber }));

/** The numbers of the teams that have players. */
async function findTaken(tx: Transaction, sessionId: number): Promise<number[]> {
  const rows = await tx.execute(
    sql`SELECT DISTINCT g.team FROM ${teamMembers} g WHERE g.session_id = ${sessionId} AND g.team IS NOT NULL`,
  );
  return v.parse(numbers, [...rows]).map(({ team }) => team);
}

/** The team at this index is not there any more, or its name stands at another place now. */
function hasLeft(index: number, before: readonly string[], after: readonly string[]): boolean {
  const name = before[index];
  if (name === undefined || after[index] === name) return false;
  return after[index] === undefined || after.includes(name);
}

function mustStay() {
  return invalid(
    { "settings.teams": ["must keep the teams that have players, in their order"] },
    { detail: "Players are in these teams. Change names and add teams at the end, but keep the order." },
  );
}
