import { randomBytes, timingSafeEqual } from "node:crypto";
import { Refusal } from "#src/base/refusal.ts";

const SECRET_BYTES = 32;

/** A new secret for anti-forgery tokens: 32 random bytes as base64url. */
export function createCsrfSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/**
 * A token for one answer: a random mask, followed by the secret XORed with it. Every token is different, so compressed
 * answers do not leak the secret byte by byte (BREACH).
 */
export function maskCsrfSecret(secret: string): string {
  const mask = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  const masked = xor(mask, Buffer.from(secret, "base64url"));
  return Buffer.concat([mask, masked]).toString("base64url");
}

export function isTokenOf(secret: string, token: string | null): boolean {
  const bytes = Buffer.from(token ?? "", "base64url");
  const expected = Buffer.from(secret, "base64url");
  if (bytes.length !== 2 * SECRET_BYTES || expected.length !== SECRET_BYTES) return false;
  return timingSafeEqual(xor(bytes.subarray(0, SECRET_BYTES), bytes.subarray(SECRET_BYTES)), expected);
}

const CODE = "invalid_authenticity_token";

/** 422: nothing proves that the request comes from one of our own pages. */
export function forged(): Refusal {
  return new Refusal(422, CODE, "This page is out of date. Reload it and try again.");
}

/**
 * 422: the token does not belong to the cookies of the request. A browser that sends the token of a page and no cookie at all keeps
 * none: no page of it can be reloaded until one is right.
 */
export function unproven(request: Request, token: string | null): Refusal {
  if (token === null || token === "" || request.headers.has("cookie")) return forged();
  return new Refusal(
    422,
    CODE,
    "Your browser keeps no cookies for this site, and nobody can play without them. Allow cookies in its settings, then reload this page.",
  );
}

function xor(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.map((byte, index) => byte ^ (other[index] ?? 0));
}

/**
 * True unless the browser says that a page of another site sent the request. A client that says nothing (a program) passes
 * here, and must prove itself by the anti-forgery token alone.
 */
export function isSameOrigin(request: Request, publicUrl: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  const origin = request.headers.get("origin");
  return origin === null || origin === new URL(publicUrl).origin || origin === new URL(request.url).origin;
}
