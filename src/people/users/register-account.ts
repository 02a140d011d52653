import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Queryable, type Transaction, inTransaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { findOutcome, type MaybeKeyed, nothingMore, once, rekey } from "#src/base/once.ts";
import { recordPlayerChange } from "#src/base/outbox/record-leaderboard-change.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { enqueueMail, writeMail } from "#src/mail/write-mail.ts";
import { type Door, refuseClosedDoor, useInvitation } from "#src/people/invitations/use-invitation.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { disconnectSignIns, endSignIns } from "#src/people/sign-ins/end-sign-ins.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { hashPassword } from "#src/people/sign-ins/passwords.ts";
import { alreadySignedIn } from "#src/people/sign-ins/refusal.ts";
import { signIn } from "#src/people/sign-ins/sign-in.ts";
import { type Browser, browserOf, type SignIn, startSignIn } from "#src/people/sign-ins/start-sign-in.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import type { Env } from "#src/settings/env.ts";
import { insertGuest, welcomeAccount } from "./create-guest.ts";
import {
  refuseRemoved,
  refuseTaken,
  refuseUnfitUsername,
  toTakenRefusal,
  usernameColumns,
} from "./judge-username.ts";
import { resumeBreak } from "./kept-break.ts";
import { refuseCommonPassword } from "./refuse-common-password.ts";
import type { RegistrationBody } from "./schemas.ts";

/** How long a user may sign in without a confirmed address. */
const GRACE_HOURS = 24;

/** Without a password the account signs in at the provider, which knows the address. */
type Account = { email: string; username: string; passwordHash: string | null; confirmedAt?: SQL };

/** A registration: the form, the browser that sent it, and the guest it belongs to, if there is one. */
type Registration = { viewer: Viewer | null; browser: Browser; form: RegistrationBody };

/**
 * Registers an account, and signs in to it where an earlier request with this key has registered it.
 * Refuses too many attempts (429), and what the registration refuses.
 */
export async function registerAccount(
  deps: Deps,
  {
    request,
    form,
    authentication,
  }: { request: Request; form: RegistrationBody; authentication: Authentication },
  keyed: MaybeKeyed,
): Promise<SignIn> {
  await limitRate(deps, rates.register, authentication);
  await limitRate(deps, rates.registerEmail, { ...authentication, account: form.email });
  const browser = browserOf(deps.env, authentication, request);
  try {
    return await register(deps, { viewer: authentication.viewer, browser, form }, keyed);
  } catch (error) {
    if (!(await wasRegistered(deps.pool.db, form, keyed))) throw error;
    return signIn(deps, { ...form, ...browser });
  }
}

async function wasRegistered(
  db: Queryable,
  { email }: { email: string },
  keyed: MaybeKeyed,
): Promise<boolean> {
  if (keyed === null) return false;
  const [actor] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  return actor !== undefined && (await findOutcome(db, rekey(keyed, { actor }), nothingMore)) !== null;
}

/**
 * Turns a guest into an account. The guest keeps the id, the wallet and the calls; a signed-out client gets a new guest first.
 * A guest who got less play money than accounts do gets the rest. The guest's sign-ins end and a new one starts. A mail asks to confirm the address.
 * Refuses a guest who has become an account meanwhile (409), an email or username that is taken, and a
 * username that was taken away or has an insult (422).
 */
async function register(
  deps: Deps,
  { viewer, browser, form }: Registration,
  keyed: MaybeKeyed,
): Promise<SignIn> {
  await refuseCommonPassword(form.password, [form.email, form.username]);
  const { email, username } = form;
  refuseUnfitUsername(username, viewer?.username);
  await refuseRemoved(deps.pool.db, username);
  await refuseTaken(deps.pool.db, { email, username, userId: viewer?.id ?? null });
  const account = { email, username, passwordHash: await hashPassword(form.password, browser.address) };
  const registered = await inTransaction(deps.pool.db, async (tx) => {
    const door = { invitation: form.invitation };
    const { userId, ended } = await makeAccount(tx, deps.env, { viewer, account, door });
    await once(tx, rekey(keyed, { actor: { id: userId } }), nothingMore, () => Promise.resolve({}));
    const mailId = await sendConfirmation(tx, { id: userId, email });
    const player = await findViewer(tx, userId);
    return {
      ended,
      mailId,
      signIn: await startSignIn(tx, { viewer: player, remembered: form.rememberMe, ...browser }),
    };
  }).catch((error: unknown) => {
    throw toTakenRefusal(error);
  });
  deps.notifyRelay();
  await disconnectSignIns(deps, registered.ended);
  await enqueueMail(deps, registered.mailId);
  return registered.signIn;
}

/**
 * Makes an account of a guest, or of a new user, in the transaction that starts its sign-in. The guest's sign-ins end. It is the only way
 * to an account, but for the command line (make-admin.ts), so REGISTRATION, its switch and invitations are judged here.
 * @returns the ended ones, for disconnectSignIns after the commit.
 * @throws Refusal 403 where the site takes no new accounts, or none without an invitation.
 */
export async function makeAccount(
  tx: Transaction,
  env: Env,
  { viewer, account, door }: { viewer: { id: number } | null; account: Account; door: Door },
): Promise<{ userId: number; ended: string[] }> {
  await refuseClosedDoor(tx, env, door);
  const userId = viewer?.id ?? (await insertGuest(tx, env.guestGrantCents));
  await completeAccount(tx, userId, account);
  await useInvitation(tx, env, { door, userId });
  await welcomeAccount(tx, userId);
  await resumeBreak(tx, { userId, email: account.email });
  // Where guests are not ranked, this one is from now on, with what the guest has won.
  if (viewer !== null && !env.rankGuests) await recordPlayerChange(tx, { userId, sessionId: null });
  return { userId, ended: await endSignIns(tx, { userId }) };
}

/** Refuses (409) if the user is no longer a guest, as after a form that was sent twice. */
async function completeAccount(tx: Transaction, userId: number, account: Account): Promise<void> {
  const completed = await tx
    .update(users)
    .set({
      ...account,
      ...usernameColumns(account.username),
      guest: false,
      updatedAt: sql`clock_timestamp()`,
    })
    .where(and(eq(users.id, userId), eq(users.guest, true), isNull(users.deactivatedAt)))
    .returning({ id: users.id });
  if (completed.length === 0) throw alreadySignedIn();
}

/**
 * Records the mail that asks a new user to confirm the email address, in the transaction that sets the address. The grace
 * period starts with the first mail; another one does not restart it.
 * @returns the mail's id, for enqueueMail after the commit.
 */
export async function sendConfirmation(tx: Queryable, user: { id: number; email: string }): Promise<number> {
  await tx
    .update(users)
    .set({
      confirmBy: sql`coalesce(${users.confirmBy}, clock_timestamp() + make_interval(hours => ${GRACE_HOURS}))`,
    })
    .where(eq(users.id, user.id));
  return writeMail(tx, { kind: "confirm_email", recipient: user.email, userId: user.id });
}
