import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { checkOwnPassword } from "#src/people/sign-ins/check-own-password.ts";
import { checkOwnPasskey } from "./check-own-passkey.ts";
import type { Assertion } from "./schemas.ts";
import { readByPasskey, type SignedIn } from "./signed-in.ts";

// Decision: a browser that was left open, or a stolen cookie, cannot change how a user signs in. A sign-in by passkey counts as
// proof for ten minutes; otherwise the change itself brings the password or the answer of a passkey.

/** By what a user proves to be the one who is signed in. */
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
