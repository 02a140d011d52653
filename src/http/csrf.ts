import { randomBytes, timingSafeEqual } from "node:crypto";
import { Refusal } from "#src/base/refusal.ts";

const SECRET_BYTES = 32;

/** A new secret that anti-forgery tokens are made from: base64url of 32 bytes. */
export function createCsrfSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/**
 * A token for one answer: the secret under a random mask, and the mask. No two are alike, so that compressed answers do not
 * give the secret away letter by letter.
 */
export function maskCsrfSecret(secret: string): string {
  const mask = randomBytes(SECRET_BYTES);
  return Buffer.concat([mask, xor(mask, Buffer.from(secret, "base64url"))]).toString("base64url");
}

/** True if the token was made from this secret. */
export function isTokenOf(secret: string, token: string | null): boolean {
  const bytes = Buffer.from(token ?? "", "base64url");
  const expected = Buffer.from(secret, "base64url");
  if (bytes.length !== 2 * SECRET_BYTES || expected.length !== SECRET_BYTES) return false;
  return timingSafeEqual(xor(bytes.subarray(0, SECRET_BYTES), bytes.subarray(SECRET_BYTES)), expected);
}

/** 422: the request does not prove that it comes from a page of ours. */
export function forged(): Refusal {
  return new Refusal(422, "invalid_authenticity_token", "This page is out of date. Reload it and try again.");
}

function xor(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.map((byte, index) => byte ^ (other[index] ?? 0));
}
