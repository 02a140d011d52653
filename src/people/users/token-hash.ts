import { createHmac, randomBytes } from "node:crypto";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";

const SECRET_BYTES = 32;

/** A new secret for a link in a mail: base64url of 32 bytes. */
export function createTokenSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/**
 * The hash of a link's secret, by which it is stored and looked up. The hash is keyed, so an attacker cannot choose what the
 * database compares, and the time of a look-up reveals nothing.
 */
export function hashToken({ secretKey }: Pick<Env, "secretKey">, secret: string): string {
  return createHmac("sha256", deriveKey(secretKey, "token")).update(secret).digest("base64url");
}
