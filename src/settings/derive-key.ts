import { createHmac } from "node:crypto";

/** A key for one purpose, from the one secret: what is signed for one purpose is worth nothing for another. */
export function deriveKey(secretKey: string, purpose: string): string {
  return createHmac("sha256", secretKey).update(purpose).digest("base64url");
}
