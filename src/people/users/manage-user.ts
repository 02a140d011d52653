import { eq } from "drizzle-orm";
import { type Transaction, inTransaction } from "#db/client.ts";
import type { Role } from "#db/lists/users.ts";
import { users } from "#db/schema/users.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";
import { disconnectSignIns, endSignIns } from "#src/people/sign-ins/end-sign-ins.ts";
import { rolesOfUser } from "./roles-of-user.ts";

/** The input of every change that an admin makes to a user's account. */
export type ManageUserInput = IfVersion & { userId: number; actor: { id: number }; reason: string | null };

/** The user's row, locked until the end of the transaction. */
type ManagedUser = {
  id: number;
  guest: boolean;
  failedAttempts: number;
  lockedAt: Date | null;
  deactivatedAt: Date | null;
  deletedAt: Date | null;
  mergedInto: number | null;
  roles: Role[];
  version: number;
};

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
    await writeAudit(tx, { ...entry, actor, subject: { type: "user", id: userId }, sessionId: null, reason });
    return endsSignIns ? endSignIns(tx, { userId }) : [];
  });
  await disconnectSignIns(deps, ended);
}

async function lockUser(tx: Transaction, userId: number): Promise<ManagedUser> {
  const [user] = await tx
    .select({
      id: users.id,
      guest: users.guest,
      failedAttempts: users.failedAttempts,
      lockedAt: users.lockedAt,
      deactivatedAt: users.deactivatedAt,
      deletedAt: users.deletedAt,
      mergedInto: users.mergedInto,
      roles: rolesOfUser,
      version: users.version,
    })
    .from(users)
    .where(eq(users.id, userId))
    .for("no key update");
  if (user === undefined) throw notFound();
  return user;
}

/** Refuses a change of an account that its user has deleted, and of a guest that is a part of an account: 422. */
export function refuseEnded({
  deletedAt,
  mergedInto,
}: {
  deletedAt: Date | null;
  mergedInto: number | null;
}): void {
  if (deletedAt !== null)
    throw invalid({ user: ["is invalid"] }, { detail: "Its user has deleted this account." });
  if (mergedInto !== null)
    throw invalid({ user: ["is invalid"] }, { detail: "This guest is a part of an account. Change that." });
}

/** Refuses a change of the admin's own account: 422. @param detail says what to do instead. */
export function refuseOwnAccount({ userId, actor }: ManageUserInput, detail: string): void {
  if (userId === actor.id) throw invalid({ user: ["is invalid"] }, { detail });
}
