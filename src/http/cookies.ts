import type { CookieName } from "./contract.ts";

/** How a cookie is written. Scripts can never read it. */
type CookieOptions = {
  /** True over https: the browser then also restricts the cookie to this host and to https. */
  secure: boolean;
  /** 0 removes the cookie. Without it, the cookie lasts until the browser is closed. */
  maxAgeSeconds?: number;
};

/** The full name of a cookie: with the prefix `__Host-` over https. */
export function cookieName(name: CookieName, { secure }: { secure: boolean }): string {
  return secure ? `__Host-${name}` : name;
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

/** The value of a Set-Cookie header. `value` must not contain characters that need escaping. */
export function writeCookie(
  name: CookieName,
  value: string,
  { secure, maxAgeSeconds }: CookieOptions,
): string {
  const age = maxAgeSeconds === undefined ? "" : `; Max-Age=${maxAgeSeconds}`;
  return `${cookieName(name, { secure })}=${value}; Path=/; HttpOnly; SameSite=Lax${age}${secure ? "; Secure" : ""}`;
}
