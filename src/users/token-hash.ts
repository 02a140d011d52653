import { createHmac, randomBytes } from "node:crypto";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";

const SECRET_BYTES = 32;

/** A new secret for a link in a mail: base64url of 32 bytes. */
export function createTokenSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/**
 * What is kept of a link's secret, and what it is looked for by. Whoever guesses cannot steer what the database compares,
 * since the hash is keyed: the time that a look-up takes says nothing.
 */
export function hashToken({ secretKey }: Pick<Env, "secretKey">, secret: string): string {
  return createHmac("sha256", deriveKey(secretKey, "token")).update(secret).digest("base64url");
}
