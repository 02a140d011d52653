import { createHmac } from "node:crypto";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";

/** Who guesses a code would have to guess these letters with it. */
const PROOF_LENGTH = 4;

/** The address that leads to the session of a code; QR codes hold it. `k` proves that the code was not guessed. */
export function joinUrlOf(env: Pick<Env, "publicUrl" | "secretKey">, code: string): string {
  return `${env.publicUrl}/join?code=${code}&k=${proofOf(env, code)}`;
}

/** True for a code that came with its address. */
export function isFromLink(env: Pick<Env, "secretKey">, code: string, proof: string | undefined): boolean {
  return proof === proofOf(env, code);
}

function proofOf({ secretKey }: Pick<Env, "secretKey">, code: string): string {
  const signed = createHmac("sha256", deriveKey(secretKey, "join link")).update(code);
  return signed.digest("base64url").slice(0, PROOF_LENGTH);
}
