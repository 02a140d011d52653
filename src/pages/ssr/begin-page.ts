import { routes } from "#client/app/routes.tsx";
import { isHandle } from "#client/base/page/handle.ts";
import type { Deps } from "#src/base/deps.ts";
import { beginPageRead } from "#src/pages/page-read/begin-page-read.ts";
import { createPageRunner } from "./run-page.ts";

const { match, run } = createPageRunner(routes);

/** Runs the routes of a page; see RunPage. */
export const runPage = run;

/**
 * Matches the address of a page request, once, and begins to read what the record of its route says. Call it before the request is
 * authenticated: the sign-in is read in the same statement.
 */
export function beginPage(deps: Deps, request: Request): void {
  const { matches } = match(request);
  const records = matches.flatMap(({ route }) => (isHandle(route.handle) ? [route.handle] : []));
  const { reads = {} } = records.at(-1) ?? {};
  beginPageRead(deps, request, { reads, params: matches.at(-1)?.params ?? {} });
}
