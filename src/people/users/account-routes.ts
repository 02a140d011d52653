import { and, eq, isNull, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { forbidden, invalid } from "#src/base/refusal.ts";
import { enqueueMail } from "#src/mail/enqueue-mail.ts";
import { writeMail } from "#src/mail/write-mail.ts";
import { detachSignIn } from "#src/people/sign-ins/attach-sign-in.ts";
import { readBrowserCookie } from "#src/people/sign-ins/browser-cookie.ts";
import { checkOwnPassword } from "#src/people/sign-ins/check-own-password.ts";
import { disconnectSignIns, endSignIns } from "#src/people/sign-ins/end-sign-ins.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { changePassword } from "./change-password.ts";
import { endOtherSignIns, endOwnSignIn } from "./end-own-sign-ins.ts";
import { accountEndpoints } from "./endpoints.ts";
import { findAccount } from "./find-account.ts";
import { revokeTokens } from "./revoke-tokens.ts";
import { hasAdminRole } from "./roles-of-user.ts";
import type { EmailChange } from "./schemas.ts";

/** The routes of the user's own account. */
export function accountRoutes(deps: Deps) {
  return serveEndpoints(deps, accountEndpoints, {
    showAccount: ({ viewer: { id: userId }, authentication: { signInId } }) =>
      findAccount(deps.pool.db, { userId, signInId }),
    changeEmail: async ({ viewer, authentication: { signInId }, body: { user: form } }) => ({
      message: await askForEmailChange(deps, { viewer, signInId, form }),
    }),
    changePassword: async ({ request, viewer, authentication: { signInId }, body: { user: form } }) => {
      const browserId = readBrowserCookie(deps.env, request);
      return { message: await changePassword(deps, { viewer, signInId, browserId, form }) };
    },
    deactivateOwnAccount: async ({ request, viewer, authentication: { signInId }, body }) => {
      await deactivateOwnAccount(deps, { viewer, signInId, ...body.user });
      detachSignIn(deps.env, request);
    },
    endOtherSignIns: ({ viewer: { id: userId }, authentication: { signInId } }) =>
      endOtherSignIns(deps, { userId, signInId }),
    endSignIn: ({ viewer: { id: userId }, params }) => endOwnSignIn(deps, { userId, signInId: params.id }),
  });
}

/**
 * Deactivates the user's own account: all sign-ins end, and new ones are refused until an admin reactivates it. Its data
 * stays. Refuses a wrong password (422), and an admin, so that there is always one left (403).
 */
async function deactivateOwnAccount(
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

/**
 * Requests another email address. It changes only when the link in the mail to the new address is opened; the old address
 * is notified at once. A new request replaces an earlier one.
 * @returns the message for the user.
 * Refuses a wrong current password, and an address that is taken: 422.
 */
async function askForEmailChange(
  deps: Deps,
  {
    viewer,
    signInId,
    form: { email, currentPassword },
  }: { viewer: Viewer; signInId: string | null; form: EmailChange },
): Promise<string> {
  await checkOwnPassword(deps, { userId: viewer.id, signInId }, currentPassword);
  const taken = await deps.pool.db.$count(users, eq(users.email, email));
  if (taken > 0) throw invalid({ email: ["has already been taken"] });
  const mailIds = await inTransaction(deps.pool.db, async (tx) => {
    await revokeTokens(tx, viewer.id, ["change_email"]);
    const toNew = await writeMail(tx, { kind: "change_email", recipient: email, userId: viewer.id });
    if (viewer.email === null) return [toNew];
    const old = { kind: "email_change_asked", recipient: viewer.email, userId: viewer.id } as const;
    return [toNew, await writeMail(tx, old)];
  });
  for (const mailId of mailIds) await enqueueMail(deps, mailId);
  return `Open the link in the mail to ${email}. Until then your old address stays.`;
}
