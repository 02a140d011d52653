import { createHash, randomBytes } from "node:crypto";
import { readBearer } from "#src/http/bearer.ts";

const PREFIX = "ci_";
const SECRET_BYTES = 32;
const HINT_LETTERS = 4;
const form = /^ci_[\w-]{43}$/;

/** A new secret of an access token: 32 random bytes. The prefix lets tools find secrets that were published by mistake. */
export function createAccessTokenSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64url");
}

/**
 * What a request sends as an access token of ours; null for none. Another bearer token, as proxies and gateways add for themselves,
 * says nothing about who asks.
 */
export function readAccessToken(request: Request): string | null {
  const secret = readBearer(request);
  return secret?.startsWith(PREFIX) === true ? secret : null;
}

/** True for a text that can be such a secret. */
export function isAccessTokenSecret(text: string): boolean {
  return form.test(text);
}

/** The hash by which a secret is stored and found. A slow hash would protect nothing more: 32 random bytes cannot be guessed. */
export function hashAccessToken(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** The part of a secret by which its owner recognizes it. */
export function hintOf(secret: string): string {
  return secret.slice(-HINT_LETTERS);
}
