import { type Page, themeOf } from "#client/page.ts";
import { isTimeZone } from "#client/ui/time-format.ts";
import type { Deps } from "#src/base/deps.ts";
import { readCookie } from "#src/http/cookies.ts";
import { findActiveSession } from "#src/sessions/find-session.ts";
import type { Authentication } from "#src/sign-ins/authenticate.ts";
import { presentViewer } from "#src/sign-ins/viewer.ts";
import { findPageOffsets } from "./find-page-offsets.ts";

const CABLE_PATH = "/cable";
const DEFAULT_ZONE = "UTC";

/** The context of a page besides its loaders' data: viewer, live session, theme, time zone and stream offsets. */
export async function pageOf(deps: Deps, request: Request, authentication: Authentication): Promise<Page> {
  const viewer = authentication.viewer === null ? null : presentViewer(authentication.viewer);
  const active = viewer === null ? null : await findActiveSession(deps.pool.db);
  return {
    viewer,
    csrfToken: authentication.csrfToken(),
    cableUrl: CABLE_PATH,
    activeSession: active === null ? null : { id: active.id, slug: active.slug },
    theme: themeOf(readCookie(request, "theme") ?? undefined),
    timeZone: timeZoneOf(request),
    demo: deps.env.demo,
    streamOffsets: await findPageOffsets(deps, { request, viewer: authentication.viewer, active }),
  };
}

function timeZoneOf(request: Request): string {
  const zone =
    readCookie(request, "time_zone")?.replaceAll("%2F", "/").replaceAll("%2B", "+") ?? DEFAULT_ZONE;
  return isTimeZone(zone) ? zone : DEFAULT_ZONE;
}
