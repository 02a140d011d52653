import { eq } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { isLockedNow } from "#src/people/sign-ins/lock-account.ts";
import { tokenInvalid } from "#src/people/sign-ins/refusal.ts";
import { findToken, useToken } from "./use-token.ts";

const kinds = ["unlock"] as const;

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
    const used = await findToken(tx, env, { secret, kinds });
    if (used === null) throw tokenInvalid("unlockToken");
    const [user] = await tx.select({ locked: isLockedNow }).from(users).where(eq(users.id, used.userId));
    // The account was locked again since: only the newer mail's link unlocks it.
    if (user?.locked !== false) throw tokenInvalid("unlockToken");
  });
  return "Your account is unlocked. Sign in to go on.";
}
