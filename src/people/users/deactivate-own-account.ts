import { and, eq, isNull, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { forbidden } from "#src/base/refusal.ts";
import { checkOwnPassword } from "#src/people/sign-ins/check-own-password.ts";
import { disconnectSignIns, endSignIns } from "#src/people/sign-ins/end-sign-ins.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { hasAdminRole } from "./roles-of-user.ts";

/**
 * Deactivates the user's own account: all sign-ins end, and new ones are refused until an admin reactivates it. Its data
 * stays. Refuses a wrong password (422), and an admin, so that there is always one left (403).
 */
export async function deactivateOwnAccount(
  deps: Deps,
  { viewer, signInId, currentPassword }: { viewer: Viewer; signInId: string | null; currentPassword: string },
): Promise<void> {
  if (await hasAdminRole(deps.pool.db, viewer.id))
    throw forbidden("An admin stays. Have another admin take your role first.");
  await checkOwnPassword(deps, { userId: viewer.id, signInId }, currentPassword);
  const ended = await inTransaction(deps.pool.db, async (tx) => {
    await tx
      .update(users)
      .set({ deactivatedAt: sql`clock_timestamp()` })
      .where(and(eq(users.id, viewer.id), isNull(users.deactivatedAt)));
    await writeAudit(tx, {
      actor: viewer,
      action: "deactivate",
      subject: { type: "user", id: viewer.id },
      sessionId: null,
      before: { deactivated: false },
      after: { deactivated: true },
    });
    return endSignIns(tx, { userId: viewer.id });
  });
  await disconnectSignIns(deps, ended);
}
