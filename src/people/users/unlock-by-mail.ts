import { eq } from "drizzle-orm";
import { inTransaction, type Queryable } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { isLockedNow } from "#src/people/sign-ins/lock-account.ts";
import { tokenInvalid } from "#src/people/sign-ins/refusal.ts";
import { findToken, useToken } from "./tokens.ts";

const kinds = ["unlock"] as const;
const UNLOCKED = "Your account is unlocked. Sign in to go on.";

/**
 * Unlocks an account by the link of a mail, and resets the count of wrong passwords. A link that was used before gets the
 * same answer and does nothing.
 * @returns the message for the user.
 * Refuses an invalid or expired link: 422.
 */
export async function unlockByMail({ env, pool }: Deps, secret: string): Promise<string> {
  await inTransaction(pool.db, async (tx) => {
    const token = await useToken(tx, env, { secret, kinds });
    if (token !== null) {
      await tx.update(users).set({ failedAttempts: 0, lockedAt: null }).where(eq(users.id, token.userId));
      return;
    }
    await requireUnlocked(tx, await findToken(tx, env, { secret, kinds }));
  });
  return UNLOCKED;
}

/**
 * What the link of a mail has done: null if it was not used yet. Changes nothing.
 * Refuses an invalid or expired link: 422.
 */
export async function checkUnlock({ env, pool }: Deps, secret: string): Promise<string | null> {
  const token = await findToken(pool.db, env, { secret, kinds });
  if (token?.usedAt === null) return null;
  await requireUnlocked(pool.db, token);
  return UNLOCKED;
}

/** After a used link the account may have been locked again: only the newer mail's link unlocks it then. */
async function requireUnlocked(db: Queryable, used: { userId: number } | null): Promise<void> {
  if (used === null) throw tokenInvalid("unlockToken");
  const [user] = await db.select({ locked: isLockedNow }).from(users).where(eq(users.id, used.userId));
  if (user?.locked !== false) throw tokenInvalid("unlockToken");
}
