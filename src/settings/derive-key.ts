import { createHmac } from "node:crypto";

/** Derives a key for one purpose from the secret key. A signature made for one purpose is invalid for every other. */
export function deriveKey(secretKey: string, purpose: string): string {
  return createHmac("sha256", secretKey).update(purpose).digest("base64url");
}
