import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKey } from "#src/settings/derive-key.ts";

/** What a signed id is good for: naming a file (to read it, to attach it), or sending the bytes of one. */
export type Purpose = "blob" | "upload";

const NEVER = 0;

/**
 * Signs the number of a file for one purpose: `<id>-<seconds>-<signature>`. Each purpose has a key of its own.
 * @param expiresAt null: never.
 */
export function signId(
  secretKey: string,
  { id, purpose, expiresAt }: { id: number; purpose: Purpose; expiresAt: Date | null },
): string {
  const seconds = expiresAt === null ? NEVER : Math.floor(expiresAt.getTime() / 1_000);
  const payload = `${id.toString(36)}-${seconds.toString(36)}`;
  return `${payload}-${signatureOf(secretKey, purpose, payload)}`;
}

/** The number in a signed id; null where it was changed, made for something else, or is too old. */
export function readSignedId(
  secretKey: string,
  text: string,
  { purpose, now }: { purpose: Purpose; now: Date },
): number | null {
  const read = /^(([0-9a-z]{1,11})-([0-9a-z]{1,11}))-([\w-]{43})$/.exec(text);
  if (read === null) return null;
  const [, payload = "", id = "", seconds = "", signature = ""] = read;
  // Compared as texts: the last letter of one carries bits that its bytes do not.
  const expected = signatureOf(secretKey, purpose, payload);
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) return null;
  const expiresAtSeconds = Number.parseInt(seconds, 36);
  if (expiresAtSeconds !== NEVER && expiresAtSeconds * 1_000 <= now.getTime()) return null;
  return Number.parseInt(id, 36);
}

/** A word that is another one once the secret is: it tells which signatures are out of date, and nothing else. */
export function signerName(secretKey: string): string {
  return deriveKey(secretKey, "signed-id:name").slice(0, 16);
}

function signatureOf(secretKey: string, purpose: Purpose, payload: string): string {
  return createHmac("sha256", deriveKey(secretKey, `signed-id:${purpose}`))
    .update(payload)
    .digest("base64url");
}
