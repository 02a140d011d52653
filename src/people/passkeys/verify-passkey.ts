import { createHmac, randomBytes } from "node:crypto";
import type * as Library from "@simplewebauthn/server";
import type { Deps } from "#src/base/deps.ts";
import { refuseAway, Refusal } from "#src/base/refusal.ts";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";
import { CHALLENGE_S } from "./contract.ts";
import type { Assertion, Attestation, RequestOptionsAnswer } from "./schemas.ts";

/** EdDSA, ECDSA with P-256, RSA: what today's authenticators have. */
export const ALGORITHMS = [-8, -7, -257];
export const CHALLENGE_MS = CHALLENGE_S * 1_000;
const CHALLENGE_BYTES = 32;

type PasskeyDeps = Pick<Deps, "env" | "redis">;
type NewPasskey = { credentialId: string; publicKey: string; signCount: number; transports: string[] };

/**
 * Checks what an authenticator says about a new passkey: the challenge, the origin, the host, and that the authenticator has
 * recognized its user. Refuses it if anything is wrong: 401.
 */
export async function verifyNewPasskey(
  deps: PasskeyDeps,
  asker: Asker,
  { id, response }: Attestation,
): Promise<NewPasskey> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const { clientDataJSON, attestationObject, transports } = response;
  const verified = await verifyRegistrationResponse({
    ...expectedOf(deps, asker),
    response: answerOf(id, { clientDataJSON, attestationObject }),
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refuseUnread);
  if (!verified.verified) throw passkeyRefused();
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
 * its count of signatures has grown. Refuses it if anything is wrong: 401.
 * @returns the new count.
 */
export async function verifyPasskey(
  deps: PasskeyDeps,
  asker: Asker,
  { id, response }: Assertion,
  passkey: Omit<NewPasskey, "transports">,
): Promise<number> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { clientDataJSON, authenticatorData, signature } = response;
  const verified = await verifyAuthenticationResponse({
    ...expectedOf(deps, asker),
    response: answerOf(id, { clientDataJSON, authenticatorData, signature }),
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
      counter: passkey.signCount,
    },
  }).catch(refuseUnread);
  if (!verified.verified) throw passkeyRefused();
  return verified.authenticationInfo.newCounter;
}

function expectedOf(deps: PasskeyDeps, asker: Asker) {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(deps.env);
  const expectedChallenge = (challenge: string) => useChallenge(deps, asker, challenge);
  return { expectedRPID, expectedOrigin, expectedChallenge, requireUserVerification: true };
}

const answerOf = <Response>(id: string, response: Response) => {
  return { id, rawId: id, type: "public-key" as const, clientExtensionResults: {}, response };
};

/** What the library cannot read is no passkey. That a challenge could not be looked up says nothing about one. */
function refuseUnread(error: unknown): never {
  throw error instanceof Refusal ? error : passkeyRefused();
}

let loading: Promise<typeof Library> | undefined;

/** Most processes never need the library, so the first passkey loads it. */
function loadLibrary(): Promise<typeof Library> {
  loading ??= import("@simplewebauthn/server");
  return loading;
}

/** Whose challenge it is: the sign-in that adds a passkey or confirms itself, or the signed-out browser that signs in, by its anti-forgery secret. */
type Asker = { purpose: "add" | "confirm" | "sign-in"; askedBy: string };

/** The options for a browser that is to answer by a passkey. */
export async function askForAnswer(
  deps: PasskeyDeps,
  asker: Asker,
): Promise<RequestOptionsAnswer["options"]> {
  return {
    challenge: await issueChallenge(deps, asker),
    rpId: relyingParty(deps.env).id,
    timeout: CHALLENGE_MS,
    userVerification: "required",
  };
}

// Decision: Redis deletes a challenge as it is read, so that of any number of answers one is checked, also if it is wrong. A
// challenge is worth nothing to another browser.

/** Issues a challenge that can be answered once, by the same browser. */
export async function issueChallenge({ redis }: Pick<Deps, "redis">, asker: Asker): Promise<string> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString("base64url");
  await redis.set(keyOf(asker, challenge), asker.askedBy, "EX", CHALLENGE_S).catch(refuseAway);
  return challenge;
}

/**
 * Uses a challenge up.
 * @returns false if this browser was not given it, or it is used or expired.
 */
export async function useChallenge(
  { redis }: Pick<Deps, "redis">,
  asker: Asker,
  challenge: string,
): Promise<boolean> {
  return (await redis.getdel(keyOf(asker, challenge)).catch(refuseAway)) === asker.askedBy;
}

function keyOf({ purpose }: Asker, challenge: string): string {
  return `passkey:${purpose}:${challenge}`;
}

/** What passkeys are bound to: the host in the settings, and the pages of it that may use them. */
export function relyingParty({ publicUrl }: Pick<Env, "publicUrl">): { id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}

/** What an authenticator knows a user by: the same for all passkeys of the user, and nothing that says who that is. */
export function userHandle({ secretKey }: Pick<Env, "secretKey">, userId: number): string {
  return createHmac("sha256", deriveKey(secretKey, "passkey-user"))
    .update(String(userId))
    .digest("base64url");
}

/** 401, the same for an unknown passkey and for whatever is wrong with its answer. */
export function passkeyRefused(): Refusal {
  return new Refusal(401, "passkey_refused", "This passkey was not accepted.", {
    detail: "Try again, or sign in with your password.",
  });
}

/** 403: the setting demands passkeys of admins, and this sign-in was by password. */
export function passkeyRequired(): Refusal {
  return new Refusal(403, "passkey_required", "Sign in with your passkey first.");
}
