import type { Env } from "#src/settings/env.ts";
import type { CookieName } from "./contract.ts";

type CookieEnv = Pick<Env, "publicUrl">;

/** Over https the browser restricts our cookies to this host, by the prefix of their names, and to https. */
const isSecure = ({ publicUrl }: CookieEnv) => publicUrl.startsWith("https:");
const fullName = (env: CookieEnv, name: CookieName) => (isSecure(env) ? `__Host-${name}` : name);

/** The value of a cookie that writeCookie has written, or null. */
export function readOwnCookie(env: CookieEnv, request: Request, name: CookieName): string | null {
  return readCookie(request, fullName(env, name));
}

/** The value of a cookie, or null. Of two with the same name the first counts: browsers send the more specific one first. */
export function readCookie(request: Request, name: string): string | null {
  const header = request.headers.get("cookie");
  if (header === null || !header.includes(name)) return null;
  for (const pair of header.split(";")) {
    const separator = pair.indexOf("=");
    const key = separator < 0 ? pair : pair.slice(0, separator);
    if (key.trim() === name) return separator < 0 ? "" : pair.slice(separator + 1).trim();
  }
  return null;
}

/**
 * The value of a Set-Cookie header. Scripts can never read the cookie. `value` must not contain characters that need escaping.
 * @param maxAgeSeconds 0 removes the cookie. Without it, the cookie lasts until the browser is closed.
 */
export function writeCookie(env: CookieEnv, name: CookieName, value: string, maxAgeSeconds?: number): string {
  const age = maxAgeSeconds === undefined ? "" : `; Max-Age=${maxAgeSeconds}`;
  return `${fullName(env, name)}=${value}; Path=/; HttpOnly; SameSite=Lax${age}${isSecure(env) ? "; Secure" : ""}`;
}
