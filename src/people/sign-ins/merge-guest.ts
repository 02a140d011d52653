import { and, eq, isNull } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { lockForMerge } from "#db/ledger/lock-accounts.ts";
import { mergeGuest as mergeInLedger } from "#db/ledger/merge-guest.ts";
import { readCallTotals } from "#db/ledger/read-call-totals.ts";
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

type MergeGuest = {
  guestId: number;
  accountId: number;
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
 * @throws Refusal 409 for a guest that is none or is merged already, has open calls, or was taken out of a leaderboard by a host, and
 *   for an account that has taken in as many guests as it may.
 */
export async function mergeGuest(
  tx: Transaction,
  { guestId, accountId, actor, reason = null }: MergeGuest,
): Promise<string[]> {
  await lockForMerge(tx, { guestId, accountId });
  await refuseUnfitGuest(tx, guestId);
  const isOwn = actor.id === accountId;
  if (isOwn && (await tx.$count(users, eq(users.mergedInto, accountId))) >= GUESTS_MAX) throw tooManyGuests();
  await mergeInLedger(tx, { guestId, accountId, actorId: actor.id });
  await writeAudit(tx, {
    actor,
    action: "merge_guest",
    subject: { type: "user", id: guestId },
    sessionId: null,
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
  if (activeCalls > 0) throw openCalls(activeCalls);
  if ((await tx.$count(exclusions, eq(exclusions.userId, guestId))) > 0) throw excludedGuest();
}

function noGuest(): Refusal {
  return new Refusal(409, "no_guest", "This is no guest who plays.", {
    detail: "Choose a guest who is not deactivated, and not a part of an account already.",
  });
}

function openCalls(n: number): Refusal {
  return new Refusal(409, "open_calls", `The guest has ${n === 1 ? "an open call" : `${n} open calls`}.`, {
    detail: "Wait for the result or take the call back. Then try again.",
  });
}

function excludedGuest(): Refusal {
  return new Refusal(409, "excluded", "A host has taken this guest out of a leaderboard.", {
    detail: "Ask the host to put the guest back, or sign in without the guest.",
  });
}

function tooManyGuests(): Refusal {
  return new Refusal(409, "too_many_guests", `This account has taken in ${GUESTS_MAX} guests.`, {
    detail: "Ask an admin to merge another one, or sign in without the guest.",
  });
}
