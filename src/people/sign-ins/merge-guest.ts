import { and, eq, isNull, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { lockForMerge } from "#db/ledger/locks.ts";
import { mergeGuest as mergeInLedger } from "#db/ledger/merge-guest.ts";
import { readCallTotals } from "#db/ledger/read-wallet.ts";
import { exclusions } from "#db/schema/exclusions.ts";
import { users } from "#db/schema/users.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import { recordPlayerChange } from "#src/base/outbox/record-leaderboard-change.ts";
import { Refusal } from "#src/base/refusal.ts";
import { endSignIns } from "./end-sign-ins.ts";
import type { Viewer } from "./viewer.ts";

// Decision: only what a guest has won beyond its play money moves, and an account takes in few guests by itself: who plays as ten
// guests and brings the lucky ones gains little. A loss moves as a result, not as money. Guests cannot pay, so no payment is open.

/** How many guests an account takes in when its user asks. An admin may merge more. */
const GUESTS_MAX = 3;

type Merged = { guestId: number; accountId: number };
type MergeGuest = Merged & {
  actor: NonNullable<Actor>;
  reason?: string | null;
};

/**
 * The guest whom a sign-in is to merge into its account; null where that is not asked for.
 * @throws Refusal 409 where no guest is signed in at the browser.
 */
export function guestToMerge(
  viewer: Viewer | null,
  { mergeGuest: isAsked }: { mergeGuest: boolean },
): number | null {
  if (!isAsked) return null;
  if (viewer?.guest !== true) throw noGuest();
  return viewer.id;
}

/**
 * Makes a guest a part of an account, and ends the guest's sign-ins. After the commit call `deps.notifyRelay()`.
 * @returns the ended sign-ins, for disconnectSignIns after the commit.
 * @throws Refusal 409 for a guest that is none or is merged already, has open calls, was taken out of a leaderboard by a host, or has
 *   results in another team of a session than the account, and for an account that has taken in as many guests as it may.
 */
export async function mergeGuest(
  tx: Transaction,
  { guestId, accountId, actor, reason = null }: MergeGuest,
): Promise<string[]> {
  await lockForMerge(tx, { guestId, accountId });
  await refuseUnfitGuest(tx, guestId);
  const isOwn = actor.id === accountId;
  await keepResultsInTeams(tx, { guestId, accountId });
  if (isOwn && (await tx.$count(users, eq(users.mergedInto, accountId))) >= GUESTS_MAX) {
    const detail = "Ask an admin to merge another one, or sign in without the guest.";
    throw refused("too_many_guests", `This account has taken in ${GUESTS_MAX} guests.`, detail);
  }
  await mergeInLedger(tx, { guestId, accountId, actorId: actor.id });
  await writeAudit(tx, {
    actor,
    action: "merge_guest",
    subject: { type: "user", id: guestId },
    before: { mergedInto: null },
    after: { mergedInto: accountId },
    reason,
  });
  await recordPlayerChange(tx, { userId: accountId, sessionId: null });
  return endSignIns(tx, { userId: guestId });
}

/** The lock on the wallet keeps calls from being placed meanwhile. */
async function refuseUnfitGuest(tx: Transaction, guestId: number): Promise<void> {
  const isPlaying = and(eq(users.id, guestId), eq(users.guest, true), isNull(users.deactivatedAt));
  if ((await tx.$count(users, isPlaying)) === 0) throw noGuest();
  const { activeCalls } = await readCallTotals(tx, guestId);
  const open = activeCalls === 1 ? "an open call" : `${activeCalls} open calls`;
  const wait = "Wait for the result or take the call back. Then try again.";
  if (activeCalls > 0) throw refused("open_calls", `The guest has ${open}.`, wait);
  if ((await tx.$count(exclusions, eq(exclusions.userId, guestId))) === 0) return;
  const detail = "Ask the host to put the guest back, or sign in without the guest.";
  throw refused("excluded", "A host has taken this guest out of a leaderboard.", detail);
}

/**
 * A player has one team in a session, and results stay with the team in which they were made. So the account, which has no result there,
 * takes over the guest's team. Where both have results in different teams, or a host has removed the guest, nobody is merged.
 */
async function keepResultsInTeams(tx: Transaction, { guestId, accountId }: Merged): Promise<void> {
  const [row] = await tx.execute(sql`
    WITH teams AS (SELECT user_id, session_id, team, FALSE AS removed FROM registrations
      UNION ALL SELECT user_id, session_id, team, TRUE FROM removed_players
    ), played AS (
      SELECT t.* FROM teams t WHERE t.user_id IN (${guestId}, ${accountId}) AND EXISTS (
        SELECT 1 FROM results r WHERE r.user_id = t.user_id AND r.session_id = t.session_id)
    )
    SELECT 1 FROM played g LEFT JOIN played o ON o.user_id = ${accountId} AND o.session_id = g.session_id
    WHERE g.user_id = ${guestId} AND g.team IS NOT NULL AND (g.removed OR o.team <> g.team) LIMIT 1`);
  if (row !== undefined) {
    const detail = "What was won for a team stays with it. Sign in without the guest.";
    throw refused("two_teams", "The guest has results in another team.", detail);
  }
  await tx.execute(sql`
    UPDATE registrations o SET team = g.team FROM registrations g
    WHERE o.user_id = ${accountId} AND g.user_id = ${guestId} AND g.session_id = o.session_id AND g.team IS DISTINCT FROM o.team
      AND g.team IS NOT NULL
      AND EXISTS (SELECT 1 FROM results r WHERE r.user_id = ${guestId} AND r.session_id = g.session_id)`);
}

const refused = (code: string, error: string, detail: string) => new Refusal(409, code, error, { detail });

const noGuest = () =>
  refused(
    "no_guest",
    "This is no guest who plays.",
    "Choose a guest who is not deactivated, and not a part of an account already.",
  );
