import { expect, test } from "bun:test";
import type { RouteObject } from "react-router";
import { routes } from "#client/app/routes.tsx";
import { type Handle, isHandle } from "#client/base/page/handle.ts";
import { SESSION_ROUTE } from "#client/ui/use-here.ts";

type PageRow = { path: string; handle: Handle; ofSession: boolean };

/** All pages with a record, and whether they are below the route that loads a session. */
function pagesIn(rows: readonly RouteObject[], ofSession = false): PageRow[] {
  return rows.flatMap(({ id, path = "", handle, children = [] }) => [
    ...(isHandle(handle) ? [{ path, handle, ofSession }] : []),
    ...pagesIn(children, ofSession || id === SESSION_ROUTE),
  ]);
}

const pages = pagesIn(routes);

test("a page reads the session in its address, and all pages below a session's route do", () => {
  expect(pages.length).toBeGreaterThan(40);
  for (const { path, handle, ofSession } of pages) {
    const { session } = handle.reads;
    if (ofSession) expect([path, session]).toEqual([path, true]);
    if (session === true) expect(path).toStartWith("/sessions/:slug");
  }
});

test("what is read of a session is read on pages that name one", () => {
  const ofSessions = pages.filter(({ handle: { reads } }) => reads.game === true || reads.list === "calls");
  expect(ofSessions.length).toBeGreaterThan(0);
  for (const { path, handle } of ofSessions) expect([path, handle.reads.session]).toEqual([path, true]);
});
