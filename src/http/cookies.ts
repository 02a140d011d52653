/** How a cookie of ours is written. None of them is ever readable by scripts. */
export type CookieOptions = {
  /** Served over https: then the browser also holds the cookie to this host and to https. */
  secure: boolean;
  /** 0 removes it; left out, it goes with the browser. */
  maxAgeSeconds?: number;
};

/** The name under which a cookie travels: with the `__Host-` prefix over https. */
export function cookieName(name: string, { secure }: { secure: boolean }): string {
  return secure ? `__Host-${name}` : name;
}

/** The value of one cookie, or null. Of two with the same name the first counts: browsers send the more specific first. */
export function readCookie(request: Request, name: string): string | null {
  const header = request.headers.get("cookie");
  if (header === null || !header.includes(name)) return null;
  for (const pair of header.split(";")) {
    const [key = "", ...value] = pair.split("=");
    if (key.trim() === name) return value.join("=").trim();
  }
  return null;
}

/** One Set-Cookie line. The value must be made of letters that need no escape. */
export function writeCookie(name: string, value: string, { secure, maxAgeSeconds }: CookieOptions): string {
  const age = maxAgeSeconds === undefined ? "" : `; Max-Age=${maxAgeSeconds}`;
  return `${cookieName(name, { secure })}=${value}; Path=/; HttpOnly; SameSite=Lax${age}${secure ? "; Secure" : ""}`;
}
