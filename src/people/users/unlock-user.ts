import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { type ManageUserInput, manageUser } from "./manage-user.ts";

/**
 * Unlocks an account after too many wrong passwords, and resets their count.
 * @throws Refusal 404.
 */
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
