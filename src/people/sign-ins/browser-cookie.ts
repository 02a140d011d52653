import { createHmac, timingSafeEqual } from "node:crypto";
import * as v from "valibot";
import { cookieName, readCookie, writeCookie } from "#src/http/cookies.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";
import { isSecure } from "./visitor-cookie.ts";

const NAME = "called_it_browser";
/** 400 days: browsers keep no cookie for longer. */
export const BROWSER_COOKIE_S = 34_560_000;

type CookieEnv = Pick<Env, "publicUrl" | "secretKey">;

const browserId = v.pipe(v.string(), v.uuid());

/**
 * The id of this browser, if it has signed in before; null without a cookie or if its signature is invalid. The cookie signs nobody
 * in: it only tells this browser from a stranger's.
 */
export function readBrowserCookie(env: CookieEnv, request: Request): string | null {
  const value = readCookie(request, cookieName(NAME, { secure: isSecure(env) }));
  const [id = "", signature = ""] = value?.split(".") ?? [];
  if (!v.is(browserId, id)) return null;
  const expected = sign(env, id);
  const given = Buffer.from(signature, "base64url");
  return given.length === expected.length && timingSafeEqual(given, expected) ? id : null;
}

/** Lets this browser be recognized at its next sign-ins. A sign-out does not remove the cookie. */
export function startBrowserCookie(env: CookieEnv, context: RequestContext, id: string): void {
  const value = `${id}.${sign(env, id).toString("base64url")}`;
  context.cookies.push(writeCookie(NAME, value, { secure: isSecure(env), maxAgeSeconds: BROWSER_COOKIE_S }));
}

function sign({ secretKey }: CookieEnv, id: string): Buffer {
  return createHmac("sha256", deriveKey(secretKey, "browser")).update(id).digest();
}
