import { eq, getTableColumns, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import type { Role } from "#db/lists/users.ts";
import { userRoles, users } from "#db/schema/users.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";
import { revokeAccessTokens } from "#src/people/sign-ins/access-tokens.ts";
import { disconnectSignIns, endSignIns } from "#src/people/sign-ins/end-sign-ins.ts";
import { rolesOfUser } from "./roles-of-user.ts";

/** The input of every change that an admin makes to a user's account. */
export type ManageUserInput = IfVersion & { userId: number; actor: { id: number }; reason: string | null };

export type ManagedUser = Awaited<ReturnType<typeof lockUser>>;

type UserChange = {
  action: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  /** Whether all browsers of the user have to sign in again. */
  endsSignIns: boolean;
};

/**
 * Changes an account and writes the audit entry, in one transaction. The sockets of ended sign-ins are disconnected at once.
 * @param change returns null if nothing has to change; then no audit entry is written.
 * @throws Refusal 404 for an unknown user, 409 for a stale version, 422 for a deleted account, and whatever the change refuses.
 */
export async function manageUser(
  deps: Deps,
  { userId, actor, reason, ifVersion }: ManageUserInput,
  change: (tx: Transaction, user: ManagedUser) => Promise<UserChange | null>,
): Promise<void> {
  const ended = await inTransaction(deps.pool.db, async (tx) => {
    const user = await lockUser(tx, userId);
    requireVersion({ ifVersion }, user);
    refuseEnded(user);
    const changed = await change(tx, user);
    if (changed === null) return [];
    const { endsSignIns, ...entry } = changed;
    await writeAudit(tx, { ...entry, actor, subject: { type: "user", id: userId }, reason });
    return endsSignIns ? endSignIns(tx, { userId }) : [];
  });
  await disconnectSignIns(deps, ended);
}

/** A user's row with the roles, locked until the end of the transaction. Refuses an unknown one: 404. */
export async function lockUser(tx: Transaction, userId: number) {
  const [user] = await tx
    .select({ ...getTableColumns(users), roles: rolesOfUser })
    .from(users)
    .where(eq(users.id, userId))
    .for("no key update");
  if (user === undefined) throw notFound();
  return user;
}

/** Refuses a change of an account that its user has deleted, and of a guest that is a part of an account: 422. */
export function refuseEnded({ deletedAt, mergedInto }: Pick<ManagedUser, "deletedAt" | "mergedInto">): void {
  if (deletedAt !== null)
    throw invalid({ user: ["is invalid"] }, { detail: "Its user has deleted this account." });
  if (mergedInto !== null)
    throw invalid({ user: ["is invalid"] }, { detail: "This guest is a part of an account. Change that." });
}

/** Refuses a change of the admin's own account: 422. @param detail says what to do instead. */
export function refuseOwnAccount({ userId, actor }: ManageUserInput, detail: string): void {
  if (userId === actor.id) throw invalid({ user: ["is invalid"] }, { detail });
}

/**
 * Sets a user's roles. All browsers of that user have to sign in again. Without the admin role the access tokens are revoked.
 * @throws Refusal 404; 422 for the admin's own account, so that there is always an admin left, and for a guest.
 */
export async function changeRoles(
  deps: Deps,
  { roles: requestedRoles, ...input }: ManageUserInput & { roles: readonly Role[] },
): Promise<void> {
  refuseOwnAccount(input, "You cannot change your own roles. Ask another admin.");
  const roles = [...new Set(requestedRoles)].sort();
  await manageUser(deps, input, async (tx, user) => {
    if (user.roles.join() === roles.join()) return null;
    if (user.guest) throw invalid({ roles: ["is invalid"] }, { detail: "A guest has no account yet." });
    await tx.delete(userRoles).where(eq(userRoles.userId, user.id));
    if (!roles.includes("admin")) await revokeAccessTokens(tx, { userId: user.id });
    if (roles.length > 0) await tx.insert(userRoles).values(roles.map((role) => ({ userId: user.id, role })));
    return { action: "change_roles", before: { roles: user.roles }, after: { roles }, endsSignIns: true };
  });
}

/**
 * Deactivates a user: all sign-ins end, access tokens are revoked, and new ones are refused until an admin reactivates the account. Its data stays.
 * @throws Refusal 404; 422 for the admin's own account.
 */
export async function deactivateUser(deps: Deps, input: ManageUserInput): Promise<void> {
  refuseOwnAccount(input, "You cannot deactivate your own account here. Do it on your profile.");
  await deactivateAccount(deps, input);
}

/** The same. The caller has checked the right to it. */
export async function deactivateAccount(deps: Deps, input: ManageUserInput): Promise<void> {
  await manageUser(deps, input, async (tx, { id, deactivatedAt }) => {
    if (deactivatedAt !== null) return null;
    await tx
      .update(users)
      .set({ deactivatedAt: sql`clock_timestamp()` })
      .where(eq(users.id, id));
    await revokeAccessTokens(tx, { userId: id });
    const [before, after] = [{ deactivated: false }, { deactivated: true }];
    return { action: "deactivate", before, after, endsSignIns: true };
  });
}

export async function reactivateUser(deps: Deps, input: ManageUserInput): Promise<void> {
  await manageUser(deps, input, async (tx, { id, deactivatedAt }) => {
    if (deactivatedAt === null) return null;
    await tx.update(users).set({ deactivatedAt: null }).where(eq(users.id, id));
    const [before, after] = [{ deactivated: true }, { deactivated: false }];
    return { action: "reactivate", before, after, endsSignIns: false };
  });
}

/** Unlocks an account after too many wrong passwords, and resets their count. */
export async function unlockUser(deps: Deps, input: ManageUserInput): Promise<void> {
  await manageUser(deps, input, async (tx, { id, lockedAt, failedAttempts }) => {
    if (lockedAt === null && failedAttempts === 0) return null;
    await tx.update(users).set({ lockedAt: null, failedAttempts: 0 }).where(eq(users.id, id));
    return {
      action: "unlock",
      before: { locked: lockedAt !== null, failedAttempts },
      after: { locked: false, failedAttempts: 0 },
      endsSignIns: false,
    };
  });
}
