import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKey } from "#src/settings/derive-key.ts";

/** What a signed id allows: "blob" reads or attaches a file, "upload" sends its bytes. */
export type Purpose = "blob" | "upload";

const NEVER = 0;

/**
 * Signs the id of a blob for one purpose: `<id>-<expiry in Unix seconds>-<signature>`, numbers in base 36. Each purpose has
 * its own derived key.
 * @param expiresAt null for never.
 */
export function signId(
  secretKey: string,
  { id, purpose, expiresAt }: { id: number; purpose: Purpose; expiresAt: Date | null },
): string {
  const seconds = expiresAt === null ? NEVER : Math.floor(expiresAt.getTime() / 1_000);
  const payload = `${id.toString(36)}-${seconds.toString(36)}`;
  return `${payload}-${signatureOf(secretKey, purpose, payload)}`;
}

/** Reads the blob id from a signed id; null where the signature is wrong, the purpose is another or it has expired. */
export function readSignedId(
  secretKey: string,
  text: string,
  { purpose, now }: { purpose: Purpose; now: Date },
): number | null {
  const match = /^(([0-9a-z]{1,11})-([0-9a-z]{1,11}))-([\w-]{43})$/.exec(text);
  if (match === null) return null;
  const [, payload = "", id = "", seconds = "", signature = ""] = match;
  // Compared as text: the last letter of base64url has bits that decoding would ignore.
  const expected = signatureOf(secretKey, purpose, payload);
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) return null;
  const expiresAtSeconds = Number.parseInt(seconds, 36);
  if (expiresAtSeconds !== NEVER && expiresAtSeconds * 1_000 <= now.getTime()) return null;
  return Number.parseInt(id, 36);
}

/** A short name of the secret key, stored beside signatures to find those of a previous key. It reveals nothing of the key. */
export function keyFingerprint(secretKey: string): string {
  return deriveKey(secretKey, "signed-id:name").slice(0, 16);
}

function signatureOf(secretKey: string, purpose: Purpose, payload: string): string {
  return createHmac("sha256", deriveKey(secretKey, `signed-id:${purpose}`))
    .update(payload)
    .digest("base64url");
}
