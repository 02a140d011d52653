import { and, eq, isNull, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { ringMail } from "#src/mail/ring-mail.ts";
import { disconnectSignIns, endSignIns } from "#src/sign-ins/end-sign-ins.ts";
import { findViewer } from "#src/sign-ins/find-viewer.ts";
import { hashPassword } from "#src/sign-ins/passwords.ts";
import { alreadySignedIn } from "#src/sign-ins/refusal.ts";
import { type SignIn, startSignIn } from "#src/sign-ins/start-sign-in.ts";
import { insertGuest } from "./create-guest.ts";
import type { Registration } from "./read-registration.ts";
import { refuseCommonPassword } from "./refuse-common-password.ts";
import { asTaken, refuseTaken } from "./refuse-taken.ts";
import { sendConfirmation } from "./send-confirmation.ts";

/** What a new account has: the form's fields, with the password hashed. */
type Account = { email: string; username: string; passwordHash: string };

/**
 * Makes an account of a guest, who keeps the id, the wallet and the calls; whoever comes without one starts with a new guest.
 * The guest's sign-ins end and a new one starts, with a secret of its own; a mail asks to confirm the address.
 * Refuses a guest who has become an account meanwhile (409), and an email or a username that somebody has (422).
 */
export async function registerAccount(deps: Deps, { viewer, browser, form }: Registration): Promise<SignIn> {
  await refuseCommonPassword(form.password, [form.email, form.username]);
  await refuseTaken(deps.pool.db, form);
  const { email, username } = form;
  const account = { email, username, passwordHash: await hashPassword(form.password) };
  const registered = await inTransaction(deps.pool.db, async (tx) => {
    const userId = viewer?.id ?? (await insertGuest(tx));
    await completeAccount(tx, userId, account);
    const ended = await endSignIns(tx, { userId });
    const mailId = await sendConfirmation(tx, { id: userId, email });
    const player = await findViewer(tx, userId);
    return { ended, mailId, signIn: await startSignIn(tx, { viewer: player, remembered: true, ...browser }) };
  }).catch((error: unknown) => {
    throw asTaken(error);
  });
  await disconnectSignIns(deps, registered.ended);
  await ringMail(deps, registered.mailId);
  return registered.signIn;
}

/** Sent twice, the second finds no guest any more. */
async function completeAccount(tx: Transaction, userId: number, account: Account): Promise<void> {
  const completed = await tx
    .update(users)
    .set({ ...account, guest: false, updatedAt: sql`clock_timestamp()` })
    .where(and(eq(users.id, userId), eq(users.guest, true), isNull(users.deactivatedAt)))
    .returning({ id: users.id });
  if (completed.length === 0) throw alreadySignedIn();
}
