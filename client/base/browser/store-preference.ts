import type { CookieName } from "#src/http/contract.ts";

const YEAR_SECONDS = 31_536_000;

/** Stores a preference of this device in a cookie that scripts can read, so that the server renders the next page by it. */
export function storePreference(name: CookieName, value: string, maxAgeSeconds = YEAR_SECONDS): void {
  const secure = globalThis.location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax${secure}`;
}
