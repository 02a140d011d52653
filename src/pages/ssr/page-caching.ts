import { TIME_ZONE_COOKIE } from "#client/base/format/time-format.ts";
import { isHandle } from "#client/base/page/handle.ts";
import type { Page } from "#client/base/page/page.ts";
import { readCookie } from "#src/http/cookies.ts";

// Decision: "Back" and "Forward" return to a signed-in viewer's page as it was left, from the browser's memory. Browsers do
// that only without `no-store`. `no-cache` and `vary: *` still keep the page out of every other use of a cache: it is then
// requested again, because its data, clock and tokens are of that moment. The returned page asks who is signed in
// (client/base/live/page-cache.ts). Without JavaScript nobody asks, so such browsers get `no-store`. Pages that are open to all
// have `no-store` too: their forms and tokens end with the next sign-in, and their addresses may contain a secret from a mail.

const RETURNABLE = { "cache-control": "private, no-cache", vary: "*" } as const;
const NOT_STORED = { "cache-control": "no-store", vary: "accept-encoding, cookie" } as const;

type Shown = { page: Page; status: number; matches: readonly { handle: unknown }[] };

/** The headers with which a page says whether browsers may return to it from their memory. */
export function cachingOf(
  request: Request,
  { page, status, matches }: Shown,
): typeof RETURNABLE | typeof NOT_STORED {
  const handle = matches.map((match) => match.handle).findLast(isHandle);
  const isReturnable =
    request.method === "GET" && status === 200 && page.viewer !== null && handle?.flags.open !== true;
  return isReturnable && runsScript(request) ? RETURNABLE : NOT_STORED;
}

/** The app has run in the browser before: only a script sets this cookie, on the first page that the browser opens. */
export function runsScript(request: Request): boolean {
  return readCookie(request, TIME_ZONE_COOKIE) !== null;
}
