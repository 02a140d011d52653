import { eq } from "drizzle-orm";
import type { Role } from "#db/lists/users.ts";
import { userRoles } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { revokeAccessTokens } from "#src/people/sign-ins/revoke-access-tokens.ts";
import { type ManageUserInput, manageUser, refuseOwnAccount } from "./manage-user.ts";

/**
 * Sets a user's roles. All browsers of that user have to sign in again. Without the admin role the access tokens are revoked.
 * @throws Refusal 404; 422 for the admin's own account, so that there is always an admin left, and for a guest.
 */
export async function changeRoles(
  deps: Deps,
  { roles: requestedRoles, ...input }: ManageUserInput & { roles: readonly Role[] },
): Promise<void> {
  refuseOwnAccount(input, "You cannot change your own roles. Ask another admin.");
  const roles = [...new Set(requestedRoles)].sort();
  await manageUser(deps, input, async (tx, user) => {
    if (user.roles.join() === roles.join()) return null;
    if (user.guest) throw invalid({ roles: ["is invalid"] }, { detail: "A guest has no account yet." });
    await tx.delete(userRoles).where(eq(userRoles.userId, user.id));
    if (!roles.includes("admin")) await revokeAccessTokens(tx, { userId: user.id });
    if (roles.length > 0) await tx.insert(userRoles).values(roles.map((role) => ({ userId: user.id, role })));
    return { action: "change_roles", before: { roles: user.roles }, after: { roles }, endsSignIns: true };
  });
}
