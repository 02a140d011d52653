import { eq } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { isLockedNow } from "#src/sign-ins/lock-account.ts";
import { tokenInvalid } from "#src/sign-ins/refusal.ts";
import { findToken, useToken } from "./use-token.ts";

const kinds = ["unlock"] as const;

/**
 * Unlocks an account by the link of a mail; wrong passwords are counted anew. A link that was opened before says the same
 * again and does nothing.
 * @returns the sentence for whoever opened it.
 * Refuses a link that does not work, or no longer: 422.
 */
export async function unlockByMail({ env, pool }: Deps, secret: string): Promise<string> {
  await inTransaction(pool.db, async (tx) => {
    const token = await useToken(tx, env, { secret, kinds });
    if (token !== null) {
      await tx.update(users).set({ failedAttempts: 0, lockedAt: null }).where(eq(users.id, token.userId));
      return;
    }
    const used = await findToken(tx, env, { secret, kinds });
    if (used === null) throw tokenInvalid("unlockToken");
    const [user] = await tx.select({ locked: isLockedNow }).from(users).where(eq(users.id, used.userId));
    // It was locked again since: the newer mail has the link for that.
    if (user?.locked !== false) throw tokenInvalid("unlockToken");
  });
  return "Your account is unlocked. Sign in to go on.";
}
