import { createHmac, timingSafeEqual } from "node:crypto";
import { cookieName, readCookie, writeCookie } from "#src/http/cookies.ts";
import { createCsrfSecret } from "#src/http/csrf.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";

const NAME = "called_it_visitor";

type CookieEnv = Pick<Env, "publicUrl" | "secretKey">;

/** The anti-forgery secret of a signed-out browser; null without a cookie or if its signature is invalid. */
export function readVisitorCookie(env: CookieEnv, request: Request): string | null {
  const value = readCookie(request, cookieName(NAME, { secure: isSecure(env) }));
  const [secret = "", signature = ""] = value?.split(".") ?? [];
  if (secret === "") return null;
  const expected = sign(env, secret);
  const given = Buffer.from(signature, "base64url");
  return given.length === expected.length && timingSafeEqual(given, expected) ? secret : null;
}

/** Gives a signed-out browser a new anti-forgery secret with the answer to this request, and returns it. */
export function startVisitorCookie(env: CookieEnv, context: RequestContext): string {
  const secret = createCsrfSecret();
  const value = `${secret}.${sign(env, secret).toString("base64url")}`;
  context.cookies.push(writeCookie(NAME, value, { secure: isSecure(env) }));
  return secret;
}

/** True if the product is served over https. */
export function isSecure({ publicUrl }: Pick<Env, "publicUrl">): boolean {
  return publicUrl.startsWith("https:");
}

function sign({ secretKey }: CookieEnv, secret: string): Buffer {
  return createHmac("sha256", deriveKey(secretKey, "visitor")).update(secret).digest();
}
