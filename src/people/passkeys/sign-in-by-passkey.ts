import { and, eq, lt, or, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import { lockForMerge } from "#db/ledger/locks.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import { users } from "#db/schema/users.ts";
import { isUnconfirmedNow } from "#db/sign-in-conditions.ts";
import type { Deps } from "#src/base/deps.ts";
import { viewerColumns } from "#src/people/sign-ins/find-sign-in.ts";
import { mergeGuest } from "#src/people/sign-ins/merge-guest.ts";
import { notActivated, unconfirmed } from "#src/people/sign-ins/refusal.ts";
import { type Browser, type SignIn, startSignIn } from "#src/people/sign-ins/start-sign-in.ts";
import { type Viewer, viewerRow } from "#src/people/sign-ins/viewer.ts";
import type { Assertion } from "./schemas.ts";
import { passkeyRefused, userHandle, verifyPasskey } from "./verify-passkey.ts";

type PasskeySignIn = Browser & {
  credential: Assertion;
  rememberMe: boolean;
  /** The guest at this browser who becomes a part of the account; null for none. */
  guestId: number | null;
  /** Of the signed-out browser that was given the challenge. */
  csrfSecret: string;
};

/**
 * Signs a user in by passkey: creates a new sign-in, beside any others.
 * Refuses an unknown passkey, one of another user than it says, a wrong or used challenge, another origin, and a count of signatures
 * that has not grown (401); accounts that are deactivated or not confirmed in time (403). A lock after wrong passwords does not
 * count here. A guest that cannot be merged refuses the sign-in (409).
 */
export async function signInByPasskey(deps: Deps, input: PasskeySignIn): Promise<SignIn> {
  const { credential, csrfSecret, rememberMe: remembered, guestId, ...browser } = input;
  const [passkey] = await deps.pool.db
    .select()
    .from(passkeys)
    .where(eq(passkeys.credentialId, credential.id));
  if (passkey === undefined) throw passkeyRefused();
  const { userHandle: handle = null } = credential.response;
  if (handle !== null && handle !== userHandle(deps.env, passkey.userId)) throw passkeyRefused();
  const asker = { purpose: "sign-in", askedBy: csrfSecret } as const;
  const signCount = await verifyPasskey(deps, asker, credential, passkey);
  const signedIn = await inTransaction(deps.pool.db, async (tx) => {
    if (guestId !== null) await lockForMerge(tx, { guestId, accountId: passkey.userId });
    const viewer = await findActiveUser(tx, passkey.userId);
    await recordUse(tx, { id: passkey.id, signCount });
    if (guestId !== null) await mergeGuest(tx, { guestId, accountId: viewer.id, actor: viewer });
    return startSignIn(tx, { viewer, remembered, byPasskey: true, ...browser });
  });
  if (guestId !== null) deps.notifyRelay();
  return signedIn;
}

const accountRow = v.object({ deactivated: v.boolean(), unconfirmed: v.boolean() });

/** The row lock makes a sign-in and a concurrent deactivation run one after the other. */
export async function findActiveUser(tx: Transaction, userId: number): Promise<Viewer> {
  const [row] = await tx.execute(sql`
    SELECT ${users.deactivatedAt} IS NOT NULL AS deactivated, ${isUnconfirmedNow} AS unconfirmed, ${viewerColumns}
    FROM ${users} WHERE ${users.id} = ${userId} FOR NO KEY UPDATE`);
  const account = v.parse(accountRow, row);
  if (account.deactivated) throw notActivated();
  if (account.unconfirmed) throw unconfirmed(403);
  return v.parse(viewerRow, row);
}

/** Refuses a passkey that was removed meanwhile, and a count that another request has raised: the passkey may be copied. */
export async function recordUse(tx: Transaction, used: { id: number; signCount: number }): Promise<void> {
  const isNewer = or(
    lt(passkeys.signCount, used.signCount),
    sql`(${passkeys.signCount} = 0 AND ${used.signCount}::bigint = 0)`,
  );
  const updated = await tx
    .update(passkeys)
    .set({ signCount: used.signCount, lastUsedAt: sql`clock_timestamp()` })
    .where(and(eq(passkeys.id, used.id), isNewer))
    .returning({ id: passkeys.id });
  if (updated.length === 0) throw passkeyRefused();
}
