import { eq, sql } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { type Managing, manageUser } from "./manage-user.ts";
import { requireOther } from "./require-other.ts";

/**
 * Keeps a user out: every sign-in ends, and none begins until somebody reactivates the account. What the user owns stays.
 * @throws Refusal 404; 422 for the admin's own account.
 */
export async function deactivateUser(deps: Deps, managing: Managing): Promise<void> {
  requireOther(managing, "You cannot deactivate your own account here. Do it on your profile.");
  await manageUser(deps, managing, async (tx, { id, deactivatedAt }) => {
    if (deactivatedAt !== null) return null;
    await tx
      .update(users)
      .set({ deactivatedAt: sql`clock_timestamp()` })
      .where(eq(users.id, id));
    return {
      action: "deactivate",
      before: { deactivated: false },
      after: { deactivated: true },
      endsSignIns: true,
    };
  });
}
