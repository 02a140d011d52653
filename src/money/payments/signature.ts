import { createHmac, timingSafeEqual } from "node:crypto";
import { Refusal } from "#src/base/refusal.ts";

export const SIGNATURE_HEADER = "x-payment-signature";
/** Older messages, and messages this far in the future, count as replayed. */
const AGE_MAX_S = 300;
const SECOND_MS = 1_000;

/** Signs a message: `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`. */
export function signWebhook(body: string, secret: string, now: Date): string {
  const unix = Math.floor(now.getTime() / SECOND_MS);
  return `t=${unix},v1=${hmacOf(`${unix}.${body}`, secret).toString("hex")}`;
}

/** True for a signature by one of the secrets that is at most five minutes old. */
export function isSignedBy(
  secrets: readonly string[],
  { body, signature, now }: { body: string; signature: string | null; now: Date },
): boolean {
  const [, unix = "", hex = ""] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature ?? "") ?? [];
  if (hex === "" || Math.abs(now.getTime() / SECOND_MS - Number(unix)) > AGE_MAX_S) return false;
  const claimed = Buffer.from(hex, "hex");
  return secrets.some((secret) => timingSafeEqual(hmacOf(`${unix}.${body}`, secret), claimed));
}

function hmacOf(text: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(text).digest();
}

export const INVALID_SIGNATURE = "invalid_signature";

/** 400: the message has no valid signature of the provider, or an old one. */
export function invalidSignature(): Refusal {
  return new Refusal(400, INVALID_SIGNATURE, "The signature is not valid.");
}
