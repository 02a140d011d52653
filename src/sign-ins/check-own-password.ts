import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { countWrongPassword } from "./lock-account.ts";
import { verifyPassword } from "./passwords.ts";
import { accountLocked } from "./refusal.ts";

/**
 * Checks the signed-in user's password again, before a change that cannot be undone. A wrong password counts like one at
 * the sign-in, so that an unattended browser cannot be used for guessing.
 * Refuses a wrong password (422), and locks the account after too many (403).
 */
export async function checkOwnPassword(deps: Deps, userId: number, password: string): Promise<void> {
  const [user] = await deps.pool.db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, userId));
  if (await verifyPassword(password, user?.passwordHash ?? null)) return;
  if ((await countWrongPassword(deps, userId)) === 0) throw accountLocked();
  throw invalid({ currentPassword: ["is invalid"] });
}
