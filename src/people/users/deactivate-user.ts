import { eq, sql } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { revokeAccessTokens } from "#src/people/sign-ins/revoke-access-tokens.ts";
import { type ManageUserInput, manageUser, refuseOwnAccount } from "./manage-user.ts";

/**
 * Deactivates a user: all sign-ins end, access tokens are revoked, and new ones are refused until an admin reactivates the account. Its data stays.
 * @throws Refusal 404; 422 for the admin's own account.
 */
export async function deactivateUser(deps: Deps, input: ManageUserInput): Promise<void> {
  refuseOwnAccount(input, "You cannot deactivate your own account here. Do it on your profile.");
  await manageUser(deps, input, async (tx, { id, deactivatedAt }) => {
    if (deactivatedAt !== null) return null;
    await tx
      .update(users)
      .set({ deactivatedAt: sql`clock_timestamp()` })
      .where(eq(users.id, id));
    await revokeAccessTokens(tx, { userId: id });
    return {
      action: "deactivate",
      before: { deactivated: false },
      after: { deactivated: true },
      endsSignIns: true,
    };
  });
}
