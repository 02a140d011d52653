import { createHash, createHmac, randomBytes } from "node:crypto";
import { readBearer } from "#src/http/bearer.ts";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";

const PREFIX = "ci_";
const SALT_BYTES = 32;
const HINT_LETTERS = 4;
const form = /^ci_[\w-]{43}$/;

/** A new salt: 32 random bytes. With it a token has another secret. */
export function createAccessTokenSalt(): string {
  return randomBytes(SALT_BYTES).toString("base64url");
}

/**
 * The secret of an access token, derived from the product's own key: so a repeated request can answer it for as long as its salt is
 * kept. The prefix lets tools find secrets that were published by mistake.
 */
export function accessTokenSecret({ secretKey }: Pick<Env, "secretKey">, salt: string): string {
  const key = deriveKey(secretKey, "access tokens");
  return PREFIX + createHmac("sha256", key).update(salt).digest("base64url");
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
