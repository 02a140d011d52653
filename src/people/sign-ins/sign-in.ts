import { and, eq, gt, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { lockForMerge } from "#db/ledger/locks.ts";
import { users } from "#db/schema/users.ts";
import { DEMO_PASSWORD } from "#db/seeds/users.ts";
import { isUnconfirmedNow } from "#db/sign-in-conditions.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Refusal } from "#src/base/refusal.ts";
import { viewerColumns } from "./find-sign-in.ts";
import { countWrongPassword, isKnownBrowser, isLockedNow } from "./lock-account.ts";
import { mergeGuest } from "./merge-guest.ts";
import { verifyPassword } from "./passwords.ts";
import { accountLocked, invalidCredentials, lastAttempt, notActivated, unconfirmed } from "./refusal.ts";
import type { SignInBody } from "./schemas.ts";
import { type Browser, type SignIn, startSignIn } from "./start-sign-in.ts";
import { type Viewer, viewerRow } from "./viewer.ts";

const credentialsRow = v.object({
  passwordHash: v.nullable(v.string()),
  /** Whether this browser has signed in to the account before. */
  knownBrowser: v.boolean(),
  /** Locked for this browser: a lock does not hold for a known one. */
  locked: v.boolean(),
  deactivated: v.boolean(),
  unconfirmed: v.boolean(),
});

/** A user with everything that a sign-in is checked against. */
type Credentials = v.InferOutput<typeof credentialsRow> & { viewer: Viewer };

type SignInWith = Omit<SignInBody, "mergeGuest"> & Browser & { guestId?: number | null };

/**
 * Signs a user in: creates a new sign-in, beside any others.
 * Refuses an unknown email and a wrong password with the same text and in the same time (401), with a warning before the last
 * attempt. Refuses accounts that are locked, deactivated, or not confirmed in time (403). A browser that has signed in to the
 * account before is let in to a locked account too.
 * @param input guestId: the guest at this browser who becomes a part of the account. Where that is refused (409), the sign-in is too,
 *   so that the guest is not lost.
 */
export async function signIn(deps: Deps, input: SignInWith): Promise<SignIn> {
  const { email, browserId = null, guestId = null } = input;
  const credentials = await findCredentials(deps.pool.db, { email, browserId });
  const isRight = await verifyPassword(input.password, credentials?.passwordHash ?? null, input.address);
  // A database may be of an installation that began with the demo, whose password everybody knows.
  const matches = isRight && !(deps.env.production && input.password === DEMO_PASSWORD);
  if (credentials?.locked === true) throw accountLocked();
  if (!matches) throw await wrongPassword(deps, credentials, browserId);
  // The row lock makes a sign-in and a concurrent lock, deactivation or password change run one after the other.
  const signedIn = await inTransaction(deps.pool.db, async (tx) => {
    if (guestId !== null && credentials !== null)
      await lockForMerge(tx, { guestId, accountId: credentials.viewer.id });
    const now = credentials === null ? null : await findCredentials(tx, { email, browserId }, { lock: true });
    if (now === null || now.passwordHash !== credentials?.passwordHash) throw invalidCredentials();
    refuseInactiveAccount(now);
    // The count of a known browser is reset when its sign-in starts. That of strangers goes on.
    if (!now.knownBrowser) await resetFailedAttempts(tx, now.viewer.id);
    if (guestId !== null) await mergeGuest(tx, { guestId, accountId: now.viewer.id, actor: now.viewer });
    const { address, userAgent, rememberMe: remembered } = input;
    return startSignIn(tx, { viewer: now.viewer, remembered, address, userAgent, browserId });
  });
  if (guestId !== null) deps.notifyRelay();
  return signedIn;
}

async function wrongPassword(
  deps: Deps,
  credentials: Credentials | null,
  browserId: string | null,
): Promise<Refusal> {
  const userId = credentials?.viewer.id ?? null;
  const left = await countWrongPassword(deps, userId, browserId);
  deps.log.info(
    { userId, left },
    userId === null ? "a sign-in to no account" : "a sign-in with a wrong password",
  );
  if (credentials === null || left > 1) return invalidCredentials();
  return left === 1 ? lastAttempt() : accountLocked();
}

function refuseInactiveAccount({ locked, deactivated, unconfirmed: isUnconfirmed }: Credentials): void {
  if (locked) throw accountLocked();
  if (deactivated) throw notActivated();
  if (isUnconfirmed) throw unconfirmed(403);
}

async function resetFailedAttempts(tx: Transaction, userId: number): Promise<void> {
  await tx
    .update(users)
    .set({ failedAttempts: 0, lockedAt: null })
    .where(and(eq(users.id, userId), gt(users.failedAttempts, 0)));
}

/**
 * Finds the user with this email.
 * @param by the email, in lower case, and the id in the browser's cookie.
 * @param lock locks the user's row until the end of the transaction.
 */
async function findCredentials(
  db: Queryable,
  { email, browserId }: { email: string; browserId: string | null },
  { lock = false }: { lock?: boolean } = {},
): Promise<Credentials | null> {
  const [row] = await db.execute(sql`
    SELECT ${users.passwordHash} AS "passwordHash", ${isKnownBrowser(browserId)} AS "knownBrowser",
      ${isLockedNow} AND NOT ${isKnownBrowser(browserId)} AS locked,
      ${users.deactivatedAt} IS NOT NULL AS deactivated, ${isUnconfirmedNow} AS unconfirmed, ${viewerColumns}
    FROM ${users} WHERE ${users.email} = ${email} ${lock ? sql`FOR NO KEY UPDATE` : sql``}`);
  if (row === undefined) return null;
  return { ...v.parse(credentialsRow, row), viewer: v.parse(viewerRow, row) };
}
