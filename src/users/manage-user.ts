import { eq } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { type Based, requireVersion } from "#src/http/if-match.ts";
import type { Role } from "#src/sign-ins/contract.ts";
import { disconnectSignIns, endSignIns } from "#src/sign-ins/end-sign-ins.ts";
import { rolesOfUser } from "./roles-of-user.ts";

/** What an admin does to a user's account. */
export type Managing = Based & { userId: number; actor: { id: number }; reason: string | null };

/** The user's row, held until the end of the transaction. */
export type ManagedUser = {
  id: number;
  guest: boolean;
  failedAttempts: number;
  lockedAt: Date | null;
  deactivatedAt: Date | null;
  roles: Role[];
  version: number;
};

export type Change = {
  action: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  /** Whoever is signed in has to sign in again. */
  endsSignIns: boolean;
};

/**
 * Changes an account in one transaction with its audit line; sign-ins that it ends lose their sockets at once.
 * @param change answers null where everything is already so; then nothing is written.
 * @throws Refusal 404 where there is no such user; 409 where the user is another version by now; whatever the change
 *   refuses.
 */
export async function manageUser(
  deps: Deps,
  { userId, actor, reason, ifVersion }: Managing,
  change: (tx: Transaction, user: ManagedUser) => Promise<Change | null>,
): Promise<void> {
  const ended = await inTransaction(deps.pool.db, async (tx) => {
    const user = await holdUser(tx, userId);
    requireVersion({ ifVersion }, user);
    const changed = await change(tx, user);
    if (changed === null) return [];
    const { endsSignIns, ...line } = changed;
    await writeAudit(tx, { ...line, actor, subject: { type: "user", id: userId }, sessionId: null, reason });
    return endsSignIns ? endSignIns(tx, { userId }) : [];
  });
  await disconnectSignIns(deps, ended);
}

async function holdUser(tx: Transaction, userId: number): Promise<ManagedUser> {
  const [user] = await tx
    .select({
      id: users.id,
      guest: users.guest,
      failedAttempts: users.failedAttempts,
      lockedAt: users.lockedAt,
      deactivatedAt: users.deactivatedAt,
      roles: rolesOfUser,
      version: users.version,
    })
    .from(users)
    .where(eq(users.id, userId))
    .for("no key update");
  if (user === undefined) throw notFound();
  return user;
}
