import { and, eq, gt, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Refusal } from "#src/base/refusal.ts";
import { isUnconfirmedNow, viewerColumns } from "./find-sign-in.ts";
import { countWrongPassword, isLockedNow } from "./lock-account.ts";
import { verifyPassword } from "./passwords.ts";
import { accountLocked, invalidCredentials, lastAttempt, notActivated, unconfirmed } from "./refusal.ts";
import type { SignInBody } from "./schemas.ts";
import { type Browser, type SignIn, startSignIn } from "./start-sign-in.ts";
import { type Viewer, viewerRow } from "./viewer.ts";

const credentialsRow = v.object({
  passwordHash: v.nullable(v.string()),
  locked: v.boolean(),
  deactivated: v.boolean(),
  unconfirmed: v.boolean(),
});

/** A user with everything that a sign-in is checked against. */
type Credentials = v.InferOutput<typeof credentialsRow> & { viewer: Viewer };

/**
 * Signs a user in: creates a new sign-in, beside any others.
 * Refuses an unknown email and a wrong password with the same text and in the same time (401), with a warning before the last
 * attempt. Refuses accounts that are locked, deactivated, or not confirmed in time (403).
 */
export async function signIn(deps: Deps, input: SignInBody & Browser): Promise<SignIn> {
  const credentials = await findCredentials(deps.pool.db, input.email);
  const matches = await verifyPassword(input.password, credentials?.passwordHash ?? null);
  if (credentials?.locked === true) throw accountLocked();
  if (!matches) throw await wrongPassword(deps, credentials);
  // The row lock makes a sign-in and a concurrent lock, deactivation or password change run one after the other.
  return inTransaction(deps.pool.db, async (tx) => {
    const now = credentials === null ? null : await findCredentials(tx, input.email, { lock: true });
    if (now === null || now.passwordHash !== credentials?.passwordHash) throw invalidCredentials();
    refuseInactiveAccount(now);
    await resetFailedAttempts(tx, now.viewer.id);
    const { address, userAgent, rememberMe: remembered } = input;
    return startSignIn(tx, { viewer: now.viewer, remembered, address, userAgent });
  });
}

async function wrongPassword(deps: Deps, credentials: Credentials | null): Promise<Refusal> {
  const left = await countWrongPassword(deps, credentials?.viewer.id ?? null);
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
 * @param email in lower case.
 * @param lock locks the user's row until the end of the transaction.
 */
async function findCredentials(
  db: Queryable,
  email: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<Credentials | null> {
  const [row] = await db.execute(sql`
    SELECT ${users.passwordHash} AS "passwordHash", ${isLockedNow} AS locked,
      ${users.deactivatedAt} IS NOT NULL AS deactivated, ${isUnconfirmedNow} AS unconfirmed, ${viewerColumns}
    FROM ${users} WHERE ${users.email} = ${email} ${lock ? sql`FOR NO KEY UPDATE` : sql``}`);
  if (row === undefined) return null;
  return { ...v.parse(credentialsRow, row), viewer: v.parse(viewerRow, row) };
}
