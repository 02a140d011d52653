import { and, eq, isNull, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { unauthenticated } from "#src/base/refusal.ts";
import { enqueueMail } from "#src/mail/enqueue-mail.ts";
import { writeMail } from "#src/mail/write-mail.ts";
import { checkOwnPassword } from "#src/people/sign-ins/check-own-password.ts";
import { disconnectSignIns, endSignIns } from "#src/people/sign-ins/end-sign-ins.ts";
import { forgetBrowsers } from "#src/people/sign-ins/known-browsers.ts";
import { hashPassword } from "#src/people/sign-ins/passwords.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { refuseCommonPassword } from "./refuse-common-password.ts";
import { revokeTokens } from "./revoke-tokens.ts";
import type { PasswordChange } from "./schemas.ts";

type OwnPasswordChange = {
  viewer: Viewer;
  signInId: string | null;
  /** The id in the cookie of this browser; null without one. */
  browserId: string | null;
  form: PasswordChange;
};

/**
 * Changes the user's own password. All other browsers are signed out at once and are strangers again, links in older
 * mails become invalid, and a mail reports the change.
 * @returns the message for the user.
 * Refuses a wrong current password and a new one that is too easily guessed: 422.
 */
export async function changePassword(
  deps: Deps,
  { viewer, signInId, browserId, form }: OwnPasswordChange,
): Promise<string> {
  await checkOwnPassword(deps, { userId: viewer.id, signInId }, form.currentPassword);
  await refuseCommonPassword(form.password, [viewer.email, viewer.username]);
  const passwordHash = await hashPassword(form.password);
  const { ended, mailId } = await inTransaction(deps.pool.db, async (tx) => {
    const [user] = await tx
      .update(users)
      .set({ passwordHash, failedAttempts: 0, lockedAt: null, updatedAt: sql`clock_timestamp()` })
      .where(and(eq(users.id, viewer.id), isNull(users.deactivatedAt)))
      .returning({ email: users.email });
    if (user === undefined) throw unauthenticated();
    await revokeTokens(tx, viewer.id, ["reset_password", "change_email", "unlock"]);
    const ended = await endSignIns(tx, { userId: viewer.id, except: signInId });
    await forgetBrowsers(tx, { userId: viewer.id, except: browserId });
    if (user.email === null) return { ended, mailId: null };
    const mail = { kind: "password_changed", recipient: user.email, userId: viewer.id } as const;
    return { ended, mailId: await writeMail(tx, mail) };
  });
  await disconnectSignIns(deps, ended);
  if (mailId !== null) await enqueueMail(deps, mailId);
  return "Your password is changed. Everybody else who was signed in is signed out.";
}
