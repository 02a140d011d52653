import type * as Library from "@simplewebauthn/server";
import { Refusal } from "#src/base/refusal.ts";
import type { Env } from "#src/settings/env.ts";
import { relyingParty } from "./relying-party.ts";
import type { Assertion, Attestation } from "./schemas.ts";

/** EdDSA, ECDSA with P-256, RSA: what today's authenticators have. */
export const ALGORITHMS = [-8, -7, -257];

/** A passkey that an authenticator has made. */
export type NewPasskey = { credentialId: string; publicKey: string; signCount: number; transports: string[] };
/** A passkey as it is stored. */
export type StoredPasskey = { credentialId: string; publicKey: string; signCount: number };

/** Decides whether a challenge is this browser's, and uses it up. @throws Refusal where it cannot be looked up. */
type UseChallenge = (challenge: string) => Promise<boolean>;

/**
 * Checks what an authenticator says about a new passkey: the challenge, the origin, the host, and that the authenticator has
 * recognized its user. @returns null if anything is wrong. @throws Refusal of `useChallenge`.
 */
export async function verifyNewPasskey(
  env: Pick<Env, "publicUrl">,
  { id, response }: Attestation,
  useChallenge: UseChallenge,
): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(env);
  const { clientDataJSON, attestationObject, transports } = response;
  const verified = await verifyRegistrationResponse({
    response: {
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject },
    },
    expectedChallenge: useChallenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(unlessRefused);
  if (verified?.verified !== true) return null;
  const { credential } = verified.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString("base64url"),
    signCount: credential.counter,
    transports,
  };
}

/**
 * Checks a signature of a passkey: the challenge, the origin, the host, that the authenticator has recognized its user, and that
 * its count of signatures has grown. @returns the new count; null if anything is wrong. @throws Refusal of `useChallenge`.
 */
export async function verifyPasskey(
  env: Pick<Env, "publicUrl">,
  { id, response }: Assertion,
  { passkey, useChallenge }: { passkey: StoredPasskey; useChallenge: UseChallenge },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(env);
  const { clientDataJSON, authenticatorData, signature } = response;
  const verified = await verifyAuthenticationResponse({
    response: {
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      response: { clientDataJSON, authenticatorData, signature },
    },
    expectedChallenge: useChallenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
      counter: passkey.signCount,
    },
  }).catch(unlessRefused);
  return verified?.verified === true ? verified.authenticationInfo.newCounter : null;
}

/** What the library cannot read is no passkey. That a challenge could not be looked up says nothing about one. */
function unlessRefused(error: unknown): null {
  if (error instanceof Refusal) throw error;
  return null;
}

let loading: Promise<typeof Library> | undefined;

/** Most processes never need the library, so the first passkey loads it. */
function loadLibrary(): Promise<typeof Library> {
  loading ??= import("@simplewebauthn/server");
  return loading;
}
