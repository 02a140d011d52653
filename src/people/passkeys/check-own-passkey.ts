import { and, eq } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, unauthenticated } from "#src/base/refusal.ts";
import { checkOwnPassword } from "#src/people/sign-ins/lock-account.ts";
import type { Assertion, ConfirmOptionsAnswer } from "./schemas.ts";
import { recordUse } from "./sign-in-by-passkey.ts";
import { findPasskeys, readByPasskey, type SignedIn } from "./signed-in.ts";
import { askForAnswer, passkeyRefused, verifyPasskey } from "./verify-passkey.ts";

/**
 * Starts confirming by passkey what otherwise needs the password: the options for the browser, with a challenge for this sign-in.
 * Refuses a user without passkeys: 422.
 */
export async function askToConfirm(
  deps: Deps,
  { viewer, signInId }: SignedIn,
): Promise<ConfirmOptionsAnswer["options"]> {
  const own = await findPasskeys(deps.pool.db, viewer.id);
  if (own.length === 0) throw invalid({ passkey: ["must exist"] }, { detail: "You have no passkey yet." });
  return {
    ...(await askForAnswer(deps, { purpose: "confirm", askedBy: signInId })),
    allowCredentials: own.map(({ credentialId }) => ({ id: credentialId, type: "public-key" })),
  };
}

/**
 * Checks the signed-in user's passkey again, before a change that cannot be undone. A passkey cannot be guessed, so nothing is
 * counted. Refuses (401) one of another user, and whatever a sign-in by it refuses.
 */
export async function checkOwnPasskey(
  deps: Deps,
  { userId, signInId }: { userId: number; signInId: string | null },
  credential: Assertion,
): Promise<void> {
  if (signInId === null) throw unauthenticated();
  const isOwn = and(eq(passkeys.credentialId, credential.id), eq(passkeys.userId, userId));
  const [passkey] = await deps.pool.db.select().from(passkeys).where(isOwn);
  if (passkey === undefined) throw passkeyRefused();
  const asker = { purpose: "confirm", askedBy: signInId } as const;
  const signCount = await verifyPasskey(deps, asker, credential, passkey);
  await inTransaction(deps.pool.db, (tx) => recordUse(tx, { id: passkey.id, signCount }));
}

// Decision: a browser that was left open, or a stolen cookie, cannot change how a user signs in. A sign-in by passkey counts as
// proof for ten minutes; otherwise the change itself brings the password or the answer of a passkey.

export type Proof = { currentPassword?: string | undefined; credential?: Assertion | undefined };

/**
 * Checks that it is still the user who asks, before a sign-in method is added or removed.
 * Refuses no proof without a fresh sign-in by passkey, and a wrong password (422; after too many 403), and a wrong passkey (401).
 */
export async function confirmOwner(
  deps: Deps,
  { viewer, signInId }: SignedIn,
  { currentPassword = "", credential }: Proof,
): Promise<void> {
  const signedIn = { userId: viewer.id, signInId };
  if (credential !== undefined) return checkOwnPasskey(deps, signedIn, credential);
  if (currentPassword !== "") return checkOwnPassword(deps, signedIn, currentPassword);
  if (!(await readByPasskey(deps, signInId)).fresh)
    throw invalid(
      { currentPassword: ["is required"] },
      { detail: "Enter your password, or use your passkey." },
    );
}
