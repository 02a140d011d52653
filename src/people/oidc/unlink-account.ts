import { eq } from "drizzle-orm";
import { identities } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { manageUser, type ManageUserInput, refuseOwnAccount } from "#src/people/users/manage-user.ts";
import { giveRoles } from "./give-roles.ts";

/**
 * Takes the person of the provider off an account, with what a claim has given it. The next person of the provider with the account's address
 * gets it, as at a first sign-in. All browsers of the user have to sign in again. Without a person it changes nothing.
 * @throws Refusal 404 for an unknown user, 409 for a stale version, 422 for a deleted account and the admin's own.
 */
export async function unlinkAccount(deps: Deps, input: ManageUserInput): Promise<void> {
  refuseOwnAccount(input, "You cannot unlink your own account. Ask another admin.");
  const { oidc } = deps.env;
  await manageUser(deps, input, async (tx, { id }) => {
    const unlinked = await tx.delete(identities).where(eq(identities.userId, id)).returning();
    if (unlinked.length === 0) return null;
    if (oidc !== null) await giveRoles(tx, oidc, { userId: id, values: null });
    await writeNotifications(tx, [
      {
        userId: id,
        kind: "security",
        title: "An admin has taken the sign-in of your organisation off your account",
        body: "It comes back with your next sign-in there.",
        url: "/profile/account",
      },
    ]);
    return {
      action: "unlink_provider",
      before: { linked: true },
      after: { linked: false },
      endsSignIns: true,
    };
  });
}
