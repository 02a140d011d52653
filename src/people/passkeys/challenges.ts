import { randomBytes } from "node:crypto";
import type { Deps } from "#src/base/deps.ts";
import { unavailable } from "#src/base/refusal.ts";
import { CHALLENGE_S } from "./contract.ts";

const CHALLENGE_BYTES = 32;

/** Whose challenge it is: the sign-in that adds a passkey or confirms itself, or the signed-out browser that signs in, by its anti-forgery secret. */
type Asker = { purpose: "add" | "confirm" | "sign-in"; askedBy: string };

// Decision: Redis deletes a challenge as it is read, so that of any number of answers one is checked, also if it is wrong. A
// challenge is worth nothing to another browser.

/**
 * Issues a challenge that can be answered once, by the same browser.
 * @throws Refusal 503 while Redis is away.
 */
export async function issueChallenge({ redis }: Pick<Deps, "redis">, asker: Asker): Promise<string> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString("base64url");
  await redis.set(keyOf(asker, challenge), asker.askedBy, "EX", CHALLENGE_S).catch(refuse);
  return challenge;
}

/**
 * Uses a challenge up.
 * @returns false if this browser was not given it, or it is used or expired.
 * @throws Refusal 503 while Redis is away.
 */
export async function useChallenge(
  { redis }: Pick<Deps, "redis">,
  asker: Asker,
  challenge: string,
): Promise<boolean> {
  return (await redis.getdel(keyOf(asker, challenge)).catch(refuse)) === asker.askedBy;
}

function refuse(cause: unknown): never {
  throw Object.assign(unavailable(), { cause });
}

function keyOf({ purpose }: Asker, challenge: string): string {
  return `passkey:${purpose}:${challenge}`;
}
