import { and, eq, gt } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Refusal } from "#src/base/refusal.ts";
import { type Credentials, findCredentials } from "./find-credentials.ts";
import { countWrongPassword } from "./lock-account.ts";
import { verifyPassword } from "./passwords.ts";
import { accountLocked, invalidCredentials, lastAttempt, notActivated, unconfirmed } from "./refusal.ts";
import type { SignInBody } from "./schemas.ts";
import { type Browser, type SignIn, startSignIn } from "./start-sign-in.ts";

/**
 * Signs somebody in: a new sign-in row, whatever else there is.
 * Refuses an unknown email and a wrong password alike, in words and in time (401), with a warning before the last attempt;
 * a locked, a deactivated and, past its time, an unconfirmed account (403).
 */
export async function signIn(deps: Deps, input: SignInBody & Browser): Promise<SignIn> {
  const credentials = await findCredentials(deps.pool.db, input.email);
  const matches = await verifyPassword(input.password, credentials?.passwordHash ?? null);
  if (credentials?.locked === true) throw accountLocked();
  if (!matches) throw await wrongPassword(deps, credentials);
  // Whoever signs in waits for whoever locks, deactivates or changes the password, or comes before them.
  return inTransaction(deps.pool.db, async (tx) => {
    const now = credentials === null ? null : await findCredentials(tx, input.email, { lock: true });
    if (now === null || now.passwordHash !== credentials?.passwordHash) throw invalidCredentials();
    refuseEntry(now);
    await forgetWrongPasswords(tx, now.viewer.id);
    const { address, userAgent, rememberMe: remembered } = input;
    return startSignIn(tx, { viewer: now.viewer, remembered, address, userAgent });
  });
}

async function wrongPassword(deps: Deps, credentials: Credentials | null): Promise<Refusal> {
  const left = await countWrongPassword(deps, credentials?.viewer.id ?? null);
  if (credentials === null || left > 1) return invalidCredentials();
  return left === 1 ? lastAttempt() : accountLocked();
}

function refuseEntry({ locked, deactivated, unconfirmed: isUnconfirmed }: Credentials): void {
  if (locked) throw accountLocked();
  if (deactivated) throw notActivated();
  if (isUnconfirmed) throw unconfirmed(403);
}

async function forgetWrongPasswords(tx: Transaction, userId: number): Promise<void> {
  await tx
    .update(users)
    .set({ failedAttempts: 0, lockedAt: null })
    .where(and(eq(users.id, userId), gt(users.failedAttempts, 0)));
}
