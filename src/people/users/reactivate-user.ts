import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { type ManageUserInput, manageUser } from "./manage-user.ts";

/**
 * Reactivates a user, who can then sign in again.
 * @throws Refusal 404.
 */
export async function reactivateUser(deps: Deps, input: ManageUserInput): Promise<void> {
  await manageUser(deps, input, async (tx, { id, deactivatedAt }) => {
    if (deactivatedAt === null) return null;
    await tx.update(users).set({ deactivatedAt: null }).where(eq(users.id, id));
    return {
      action: "reactivate",
      before: { deactivated: true },
      after: { deactivated: false },
      endsSignIns: false,
    };
  });
}
