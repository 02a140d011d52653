import { and, eq, gt } from "drizzle-orm";
import { signIns, users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, unauthenticated } from "#src/base/refusal.ts";
import { countWrongOwnPassword } from "./lock-account.ts";
import { verifyPassword } from "./passwords.ts";
import { accountLocked } from "./refusal.ts";

/**
 * Checks the signed-in user's password again, before a change that cannot be undone. Wrong passwords are counted by sign-in, so
 * that an unattended browser cannot be used for guessing, and a stranger's guesses at the sign-in do not count here.
 * Refuses a wrong password (422). After too many it ends the sign-in and locks the account (403).
 */
export async function checkOwnPassword(
  deps: Deps,
  { userId, signInId }: { userId: number; signInId: string | null },
  password: string,
): Promise<void> {
  if (signInId === null) throw unauthenticated();
  const [user] = await deps.pool.db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, userId));
  if (await verifyPassword(password, user?.passwordHash ?? null)) {
    await resetCount(deps, signInId);
    return;
  }
  if ((await countWrongOwnPassword(deps, { userId, signInId })) === 0) throw accountLocked();
  throw invalid({ currentPassword: ["is invalid"] });
}

async function resetCount({ pool }: Deps, signInId: string): Promise<void> {
  await pool.db
    .update(signIns)
    .set({ failedAttempts: 0 })
    .where(and(eq(signIns.id, signInId), gt(signIns.failedAttempts, 0)));
}
