import { createHmac, timingSafeEqual } from "node:crypto";
import * as v from "valibot";
import { readOwnCookie, writeCookie } from "#src/http/cookies.ts";
import { createCsrfSecret } from "#src/http/csrf.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";

/** Cookies with a value and its signature, by the purpose of their key. */
const names = { visitor: "called_it_visitor", browser: "called_it_browser" } as const;
type Purpose = keyof typeof names;

/** 400 days: browsers keep no cookie for longer. */
export const BROWSER_COOKIE_S = 34_560_000;

type CookieEnv = Pick<Env, "publicUrl" | "secretKey">;

const browserId = v.pipe(v.string(), v.uuid());

/** The anti-forgery secret of a signed-out browser; null without a cookie or if its signature is invalid. */
export function readVisitorCookie(env: CookieEnv, request: Request): string | null {
  return readSigned(env, request, "visitor");
}

/** Gives a signed-out browser a new anti-forgery secret with the answer to this request, and returns it. */
export function startVisitorCookie(env: CookieEnv, context: RequestContext): string {
  const secret = createCsrfSecret();
  context.cookies.push(writeSigned(env, "visitor", secret));
  return secret;
}

/**
 * The id of this browser, if it has signed in before; null without a cookie or if its signature is invalid. The cookie signs nobody
 * in: it only tells this browser from a stranger's.
 */
export function readBrowserCookie(env: CookieEnv, request: Request): string | null {
  const id = readSigned(env, request, "browser");
  return v.is(browserId, id) ? id : null;
}

/** Lets this browser be recognized at its next sign-ins. A sign-out does not remove the cookie. */
export function startBrowserCookie(env: CookieEnv, context: RequestContext, id: string): void {
  context.cookies.push(writeSigned(env, "browser", id, BROWSER_COOKIE_S));
}

function readSigned(env: CookieEnv, request: Request, purpose: Purpose): string | null {
  const cookie = readOwnCookie(env, request, names[purpose]);
  const [value = "", signature = ""] = cookie?.split(".") ?? [];
  if (value === "") return null;
  const expected = sign(env, purpose, value);
  const given = Buffer.from(signature, "base64url");
  return given.length === expected.length && timingSafeEqual(given, expected) ? value : null;
}

function writeSigned(env: CookieEnv, purpose: Purpose, value: string, maxAgeSeconds?: number): string {
  const signed = `${value}.${sign(env, purpose, value).toString("base64url")}`;
  return writeCookie(env, names[purpose], signed, maxAgeSeconds);
}

function sign({ secretKey }: CookieEnv, purpose: Purpose, value: string): Buffer {
  return createHmac("sha256", deriveKey(secretKey, purpose)).update(value).digest();
}
