import { and, eq } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, unauthenticated } from "#src/base/refusal.ts";
import { issueChallenge, useChallenge } from "./challenges.ts";
import { CHALLENGE_S } from "./contract.ts";
import { findPasskeys } from "./list-passkeys.ts";
import { passkeyRefused } from "./refusal.ts";
import { relyingParty } from "./relying-party.ts";
import type { Assertion, ConfirmOptionsAnswer } from "./schemas.ts";
import { recordUse } from "./sign-in-by-passkey.ts";
import type { SignedIn } from "./signed-in.ts";
import { verifyPasskey } from "./verify-passkey.ts";

const SECOND_MS = 1_000;

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
    challenge: await issueChallenge(deps, { purpose: "confirm", askedBy: signInId }),
    rpId: relyingParty(deps.env).id,
    timeout: CHALLENGE_S * SECOND_MS,
    userVerification: "required",
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
  const signCount = await verifyPasskey(deps.env, credential, {
    passkey,
    useChallenge: (challenge) => useChallenge(deps, { purpose: "confirm", askedBy: signInId }, challenge),
  });
  if (signCount === null) throw passkeyRefused();
  await inTransaction(deps.pool.db, (tx) => recordUse(tx, { id: passkey.id, signCount }));
}
