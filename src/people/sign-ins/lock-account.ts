import { and, eq, gt, ne, not, sql } from "drizzle-orm";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { knownBrowsers, signIns, users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, unauthenticated } from "#src/base/refusal.ts";
import { enqueueMail, writeMail } from "#src/mail/write-mail.ts";
import { PROVEN_S, PROVIDER_PROOF } from "./contract.ts";
import { disconnectSignIns, endSignIns } from "./end-sign-ins.ts";
import { verifyPassword } from "./passwords.ts";
import { accountLocked } from "./refusal.ts";

// Decision: wrong passwords are counted in the user's row, by one UPDATE, so that any number of concurrent attempts is counted
// exactly. The warning and the lock reveal that an account exists. An unknown address gets the text and the time of a wrong
// password. Rate limits bound both.
// A lock stops new sign-ins only, and not those of known browsers: otherwise a stranger could sign anybody out by guessing.

/** The number of wrong passwords in a row that locks an account. */
const WRONG_PASSWORDS_MAX = 20;
const LOCKED_FOR_SECONDS = 3_600;

/** In SQL: this user's account is currently locked. */
export const isLockedNow = sql<boolean>`(${users.lockedAt} IS NOT NULL
  AND ${users.lockedAt} > clock_timestamp() - make_interval(secs => ${LOCKED_FOR_SECONDS}))`;

/** The id of no user. Counting for it takes as long as for a real user, and changes nothing. */
const NO_USER_ID = 0;

/** How many wrong passwords are left before the lock, and the mail to send after the commit. */
type Count = { left: number; mailId: number | null };

/**
 * Counts a wrong password at the sign-in, exactly even with concurrent attempts. The last allowed one locks the account and sends
 * the mail that unlocks it. A browser that has signed in to the account before has a count of its own.
 * @param userId null for an unknown email.
 * @param browserId of the browser's cookie; null without one.
 * @returns how many more wrong passwords it takes to lock the account; 0 if it is locked.
 */
export async function countWrongPassword(
  deps: Deps,
  userId: number | null,
  browserId: string | null = null,
): Promise<number> {
  const { left, mailId } = await inTransaction(deps.pool.db, async (tx) => {
    // Waiting for the disk would take longer for a known email than for an unknown one.
    await tx.execute(sql`SET LOCAL synchronous_commit = off`);
    const inBrowser =
      userId === null || browserId === null ? null : await countKnown(tx, { userId, browserId });
    return inBrowser ?? countInAccount(tx, userId ?? NO_USER_ID);
  });
  if (mailId !== null) await enqueueMail(deps, mailId);
  return left;
}

/**
 * Counts a wrong password of a signed-in user, by sign-in. The last allowed one ends this sign-in and locks the account.
 * @returns how many more wrong passwords it takes; 0 if that is done.
 */
export async function countWrongOwnPassword(
  deps: Deps,
  { userId, signInId }: { userId: number; signInId: string },
): Promise<number> {
  const { left, mailId, ended } = await inTransaction(deps.pool.db, async (tx) => {
    await lockRow(tx, userId);
    const [counted] = await tx
      .update(signIns)
      .set({ failedAttempts: sql`${signIns.failedAttempts} + 1` })
      .where(eq(signIns.id, signInId))
      .returning({ failedAttempts: signIns.failedAttempts });
    if (counted !== undefined && counted.failedAttempts < WRONG_PASSWORDS_MAX)
      return { left: WRONG_PASSWORDS_MAX - counted.failedAttempts, mailId: null, ended: [] };
    const ended = await endSignIns(tx, { userId, only: signInId });
    return { ...(await lockAccount(tx, userId)), ended };
  });
  await disconnectSignIns(deps, ended);
  if (mailId !== null) await enqueueMail(deps, mailId);
  return left;
}

/** Null if the browser is not known to the account. */
async function countKnown(
  tx: Transaction,
  browser: { userId: number; browserId: string },
): Promise<Count | null> {
  const { userId, browserId } = browser;
  await lockRow(tx, userId);
  const wrong = await countInBrowser(tx, browser);
  if (wrong === null) return null;
  if (wrong < WRONG_PASSWORDS_MAX) return { left: WRONG_PASSWORDS_MAX - wrong, mailId: null };
  await forgetBrowsers(tx, { userId, only: browserId });
  return lockAccount(tx, userId);
}

/** Counting restarts at 1 after an expired lock. Nothing is counted for a locked account, nor for an unknown user. */
async function countInAccount(tx: Transaction, userId: number): Promise<Count> {
  const attempts = sql`CASE WHEN ${users.lockedAt} IS NULL THEN ${users.failedAttempts} + 1 ELSE 1 END`;
  const [counted] = await tx
    .update(users)
    .set({
      failedAttempts: attempts,
      lockedAt: sql`CASE WHEN ${attempts} >= ${WRONG_PASSWORDS_MAX} THEN clock_timestamp() END`,
    })
    .where(and(eq(users.id, userId), not(isLockedNow)))
    .returning({ id: users.id, email: users.email, failedAttempts: users.failedAttempts });
  if (counted === undefined) return { left: 0, mailId: null };
  const left = WRONG_PASSWORDS_MAX - counted.failedAttempts;
  return { left, mailId: left > 0 ? null : await writeUnlockMail(tx, counted) };
}

/** Locks the account now. An account that is locked already gets no second mail. */
async function lockAccount(tx: Transaction, userId: number): Promise<Count> {
  const [locked] = await tx
    .update(users)
    .set({ failedAttempts: WRONG_PASSWORDS_MAX, lockedAt: sql`clock_timestamp()` })
    .where(and(eq(users.id, userId), not(isLockedNow)))
    .returning({ id: users.id, email: users.email });
  return { left: 0, mailId: locked === undefined ? null : await writeUnlockMail(tx, locked) };
}

async function writeUnlockMail(
  tx: Transaction,
  { id, email }: { id: number; email: string | null },
): Promise<number | null> {
  return email === null ? null : writeMail(tx, { kind: "unlock", recipient: email, userId: id });
}

/** Before the rows of sign-ins and browsers: a sign-in locks in the same order. */
async function lockRow(tx: Transaction, userId: number): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
}

// Decision: a browser that has signed in to an account before is not locked out by the guesses of others. It has a count of its
// own, also while the account is locked. When that count is full, the browser is known no more, and the account is locked.

/** In SQL, for queries of `users`: this browser has signed in to this account before. */
export const isKnownBrowser = (browserId: string | null) => sql<boolean>`EXISTS (
  SELECT 1 FROM ${knownBrowsers} WHERE ${knownBrowsers.userId} = ${users.id} AND ${knownBrowsers.browserId} = ${browserId}::uuid)`;

/**
 * Makes a browser known to an account, and resets its count of wrong passwords.
 * @param browserId null for a browser that has never signed in.
 * @returns the browser's id, for its cookie.
 */
export async function rememberBrowser(
  tx: Queryable,
  { userId, browserId }: { userId: number; browserId: string | null },
): Promise<string> {
  const id = browserId ?? crypto.randomUUID();
  await tx
    .insert(knownBrowsers)
    .values({ userId, browserId: id })
    .onConflictDoUpdate({
      target: [knownBrowsers.userId, knownBrowsers.browserId],
      set: { failedAttempts: 0, signedInAt: sql`clock_timestamp()` },
    });
  return id;
}

/**
 * Counts a wrong password of a known browser. The caller has locked the user's row.
 * @returns how many in a row there were; null if the browser is not known to the account.
 */
async function countInBrowser(
  tx: Queryable,
  { userId, browserId }: { userId: number; browserId: string },
): Promise<number | null> {
  const [counted] = await tx
    .update(knownBrowsers)
    .set({ failedAttempts: sql`${knownBrowsers.failedAttempts} + 1` })
    .where(and(eq(knownBrowsers.userId, userId), eq(knownBrowsers.browserId, browserId)))
    .returning({ failedAttempts: knownBrowsers.failedAttempts });
  return counted?.failedAttempts ?? null;
}

/**
 * Forgets browsers of an account: from now on they are strangers. After a new password, because an old one may have been stolen.
 * @param selection all browsers, all except one, or only one.
 */
export async function forgetBrowsers(
  tx: Queryable,
  { userId, except, only }: { userId: number; except?: string | null; only?: string },
): Promise<void> {
  await tx
    .delete(knownBrowsers)
    .where(
      and(
        eq(knownBrowsers.userId, userId),
        except === undefined || except === null ? undefined : ne(knownBrowsers.browserId, except),
        only === undefined ? undefined : eq(knownBrowsers.browserId, only),
      ),
    );
}

/**
 * Checks the signed-in user's password again, before a change that cannot be undone. Wrong passwords are counted by sign-in, so
 * that an unattended browser cannot be used for guessing, and a stranger's guesses at the sign-in do not count here.
 * A new sign-in at the provider counts as the password does: users of an organisation may have none here.
 * Refuses a wrong password (422). After too many it ends the sign-in and locks the account (403).
 */
export async function checkOwnPassword(
  deps: Deps,
  { userId, signInId }: { userId: number; signInId: string | null },
  password: string,
): Promise<void> {
  if (signInId === null) throw unauthenticated();
  if (password === PROVIDER_PROOF && (await isProven(deps.pool.db, signInId))) return;
  const [user] = await deps.pool.db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, userId));
  if (await verifyPassword(password, user?.passwordHash ?? null)) {
    await resetCount(deps, signInId);
    return;
  }
  if ((await countWrongOwnPassword(deps, { userId, signInId })) === 0) throw accountLocked();
  throw invalid({ currentPassword: ["is invalid"] });
}

/** Whether the user of this sign-in has signed in at the provider once more, a short time ago. */
export async function isProven(db: Queryable, signInId: string | null): Promise<boolean> {
  const isFresh = sql`${signIns.provenAt} > clock_timestamp() - make_interval(secs => ${PROVEN_S})`;
  return signInId !== null && (await db.$count(signIns, and(eq(signIns.id, signInId), isFresh))) > 0;
}

async function resetCount({ pool }: Deps, signInId: string): Promise<void> {
  await pool.db
    .update(signIns)
    .set({ failedAttempts: 0 })
    .where(and(eq(signIns.id, signInId), gt(signIns.failedAttempts, 0)));
}
