import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { lockForMerge } from "#db/ledger/locks.ts";
import { mergeWinnings } from "#db/ledger/merge-guest.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { forbidden, invalid, notFound } from "#src/base/refusal.ts";
import { notPaused, tryRows } from "#src/base/try-rows.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { disconnectSignIns } from "#src/people/sign-ins/end-sign-ins.ts";
import { mergeGuest } from "#src/people/sign-ins/merge-guest.ts";
import { isNamed } from "#src/people/users/judge-username.ts";
import type { ManageUserInput } from "#src/people/users/manage-user.ts";

/**
 * Makes a guest a part of a player's account, because the player has asked an admin for it. The player is told.
 * @param input account: the account's username.
 * @throws Refusal 403 for the admin's own account; 404 for an unknown guest; 409 for a stale version and what mergeGuest refuses; 422 for
 *   a name of no account.
 */
export async function mergeUser(
  deps: Deps,
  { userId: guestId, account, actor, reason, ifVersion }: ManageUserInput & { account: string },
): Promise<void> {
  const accountId = await findAccountId(deps.pool.db, account);
  if (accountId === actor.id)
    throw forbidden("This account is yours. Another admin must do it, or sign in at the guest's browser.");
  const ended = await inTransaction(deps.pool.db, async (tx) => {
    await lockForMerge(tx, { guestId, accountId });
    await checkVersion(tx, guestId, ifVersion);
    const endedIds = await mergeGuest(tx, { guestId, accountId, actor, reason });
    const title = "A guest is a part of your account now: calls, results and what it has won.";
    await writeNotifications(tx, [
      { userId: accountId, kind: "security", title, body: reason ?? "", url: "/profile/wallet" },
    ]);
    return endedIds;
  });
  deps.notifyRelay();
  await disconnectSignIns(deps, ended);
}

async function findAccountId(db: Queryable, username: string): Promise<number> {
  const [found] = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(isNamed(username), eq(users.guest, false), eq(users.robot, false), isNull(users.deactivatedAt)),
    );
  if (found === undefined) throw invalid({ account: ["must be the name of an account"] });
  return found.id;
}

async function checkVersion(
  tx: Transaction,
  guestId: number,
  ifVersion: IfVersion["ifVersion"],
): Promise<void> {
  const [guest] = await tx.select({ version: users.version }).from(users).where(eq(users.id, guestId));
  if (guest === undefined) throw notFound();
  requireVersion({ ifVersion }, guest);
}

/**
 * Moves to their accounts what corrections have given to merged guests, or taken from them. A settlement pays the wallet that a call was
 * placed from, and locks no other; so this follows it within seconds.
 */
export async function sweepMergedGuests(deps: Pick<Deps, "pool" | "log" | "notifyRelay">): Promise<void> {
  const { db } = deps.pool;
  const isPaid = sql`EXISTS (SELECT 1 FROM accounts a WHERE a.user_id = ${users.id} AND a.posted_cents <> 0)`;
  const paid = await db
    .select({ id: users.id })
    .from(users)
    .where(and(isNotNull(users.mergedInto), isPaid, notPaused("merged_guest", users.id)));
  const move = async ({ id }: { id: number }) => {
    await inTransaction(db, (tx) => mergeWinnings(tx, id));
  };
  await tryRows(deps, paid, move, { kind: "merged_guest", idOf: ({ id }) => id });
  if (paid.length > 0) deps.notifyRelay();
}
